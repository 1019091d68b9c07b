"""Real shells on a terminal, driven by keys: what does TAB do to a line?

A key that no shell uses makes the shell write its line to a pipe, so nothing depends on time or on the
picture on the screen. Another one inserts all completions that are offered.
"""

import os
import pty
import select
import shlex
import shutil
import subprocess
import tempfile

READY = "ready-for-keys"
DUMP = "\x18p"  # Ctrl-X p: writes the line to the pipe, and clears it
INSERT_ALL = "\x18a"


class Shell:
    """An interactive shell in `folder`. `share` is the share directory of a build or installation."""

    NO_NAMES_WITH = None  # a character, if names of files that have it are not completed

    def __init__(self, share, folder, environment):
        self.share = share
        self.private = tempfile.mkdtemp()
        self.pipe = os.path.join(self.private, "line")
        os.mkfifo(self.pipe)
        self.reader = os.open(self.pipe, os.O_RDWR)
        command, settings = self.start()
        self.environment = dict(environment, TERM="xterm", LINES="50", COLUMNS="200", **settings)
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, self.environment)
        self.screen = b""
        while READY.encode() not in self.screen:
            self.screen += os.read(self.terminal, 4096)

    def write(self, name, text):
        path = os.path.join(self.private, name)
        with open(path, "w") as f:
            f.write(text)
        return path

    def press(self, keys):
        """Types the keys, and returns the line then."""
        os.write(self.terminal, (keys + DUMP).encode())
        line = b""
        while not line.endswith(b"\0"):
            # the terminal must be read too, or the shell would stop when its buffer is full
            ready = select.select([self.reader, self.terminal], [], [], 60)[0]
            if not ready:
                raise AssertionError(f"no line after 60 seconds; the screen was {self.screen[-2000:]!r}")
            if self.terminal in ready:
                self.screen += os.read(self.terminal, 65536)
            if self.reader in ready:
                line += os.read(self.reader, 65536)
        return line[:-1].decode()

    def complete(self, line):
        """Returns the line after TAB."""
        return self.press(line + "\t")

    def offered(self, line):
        """Returns all completions of the last word, which has no quotes, as words for the shell."""
        after = self.press(line + INSERT_ALL)
        if after.rstrip(" ") == line.rstrip(" "):
            return []
        return self.split(after)[len(line.split(" ")) - 1:]

    def split(self, line):
        return shlex.split(line)

    def close(self):
        os.close(self.terminal)
        os.close(self.reader)
        os.waitpid(self.pid, 0)
        shutil.rmtree(self.private)

    def arguments(self, line):
        """Executes the line with a command that prints its arguments, and returns them."""
        command = [self.NAME, "-c", "printf '%s\\0' " + line.split(" ", 1)[1]]
        out = subprocess.run(command, env=self.environment, stdout=subprocess.PIPE).stdout
        return out.decode().split("\0")[:-1]


class Bash(Shell):
    """With the package bash-completion, which finds our files by the name of the command."""

    NAME = "bash"
    LOAD = ". /usr/share/bash-completion/bash_completion"

    def start(self):
        rc = self.write("rc", f"""
{self.LOAD.format(share=self.share)}
unset PROMPT_COMMAND
PS1='{READY} '
bind 'set bell-style none'
bind '"\\C-xa": insert-completions'
dump_line() {{ printf '%s\\0' "$READLINE_LINE" >"$LINE_PIPE"; READLINE_LINE=; }}
bind -x '"\\C-xp": dump_line'
""")
        return (["bash", "--noprofile", "--rcfile", rc, "-i"],
                {"INPUTRC": "/dev/null", "LINE_PIPE": self.pipe, "XDG_DATA_DIRS": self.share})


class BareBash(Bash):
    """Without the package: the file is loaded by the user."""

    LOAD = ". {share}/bash-completion/completions/hagg"


class Zsh(Shell):
    NAME = "zsh"

    def start(self):
        self.write(".zshrc", f"""
fpath=({shlex.quote(self.share + "/zsh/site-functions")} $fpath)
autoload -U compinit
compinit -u -D
unsetopt beep
zstyle ':completion:*' completer _complete
zstyle ':completion:all-matches:*' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert true
zle -C all-matches complete-word _generic
bindkey -e
bindkey '^Xa' all-matches
bindkey '^I' complete-word # without expanding what is there
dump-line() {{ printf '%s\\0' "$BUFFER" >$LINE_PIPE; BUFFER= }}
zle -N dump-line
bindkey '^Xp' dump-line
PS1='{READY} '
""")
        return ["zsh", "-d", "-i"], {"ZDOTDIR": self.private, "LINE_PIPE": self.pipe}


class Fish(Shell):
    NAME = "fish"
    NO_NAMES_WITH = "\t"  # which ends a completion

    def start(self):
        config = os.path.join(self.private, "config", "fish")
        os.makedirs(config)
        with open(os.path.join(config, "config.fish"), "w") as f:
            f.write(f"""
function fish_prompt
    printf '{READY} '
end
set -U fish_greeting
bind \\cxp 'printf "%s\\\\0" (commandline | string collect) >$LINE_PIPE; commandline ""'
""")
        return ["fish", "-i"], {
            "XDG_CONFIG_HOME": os.path.dirname(config), "XDG_DATA_HOME": self.private,
            "XDG_DATA_DIRS": self.share, "LINE_PIPE": self.pipe,
        }

    def offered(self, line):
        """fish has no key for it, but a command."""
        folder = os.readlink(f"/proc/{self.pid}/cwd")
        out = subprocess.run(["fish", "-c", "complete -C $argv[1]", line], env=self.environment, cwd=folder,
                             stdout=subprocess.PIPE, check=True).stdout.decode()
        return [word.split("\t")[0] for word in out.splitlines()]


ALL = (Bash, BareBash, Zsh, Fish)
