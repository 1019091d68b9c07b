# slurm.bash - a Slurm cluster of several nodes on this machine, for tests. It needs neither systemd nor
# cgroups, and has its own directories, ports and munge.

# For setup_file: starts it in $BATS_FILE_TMPDIR/slurm, with the partitions clients (nodes n1 and n2) and
# stations (n3 and n4). Each node is configured with eight processors.
start_slurm() {
    local folder=$BATS_FILE_TMPDIR/slurm host i ports node

    host=$(hostname -s)
    mkdir -m 755 "$folder" "$folder/munge" "$folder/state"
    export SLURM_FOLDER=$folder SLURM_CONF=$folder/slurm.conf
    (umask 077 && head -c 128 /dev/urandom >"$folder/munge.key")
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge/socket" \
        --pid-file="$folder/munge.pid" --log-file="$folder/munge.log" --seed-file="$folder/munge.seed"
    ports=($("$HAGG_PYTHON" -c '
import socket

sockets = [socket.socket() for i in range(5)]
for s in sockets:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))'))
    # a node is considered down after some seconds, and 10 seconds later its jobs may run elsewhere
    cat >"$SLURM_CONF" <<END
ClusterName=hagg
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket,cred_expire=10
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
SlurmdTimeout=3
KillWait=1
ReturnToService=2
MailProg=/bin/true
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
END
    for i in 1 2 3 4; do
        echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[i]} CPUs=8"
    done >>"$SLURM_CONF"
    # otherwise slurmd looks for mounted cgroups to choose a plugin, and exits if there are none
    echo CgroupPlugin=cgroup/v1 >"$folder/cgroup.conf"
    printf '%s\n' 'PartitionName=clients Nodes=n[1-2] Default=YES' 'PartitionName=stations Nodes=n[3-4]' >>"$SLURM_CONF"
    slurmctld -i
    for node in n1 n2 n3 n4; do
        start_node $node
    done
    for i in $(seq 100); do
        [ "$(sinfo -h -N -t idle -o %N | wc -l)" != 4 ] || return 0
        sleep 0.2
    done
    tail -n 50 "$folder"/*.log >&2
    return 1
}

start_node() {
    mkdir -p "$SLURM_FOLDER/spool-$1"
    slurmd -N "$1"
}

# Prints the processes of jobs on this node.
job_processes() {
    local folder

    for folder in /proc/[0-9]*; do
        if { tr '\0' '\n' <"$folder/environ" | grep -Fqx "SLURM_CONF=$SLURM_CONF" &&
            tr '\0' '\n' <"$folder/environ" | grep -Fqx "SLURMD_NODENAME=$1"; } 2>/dev/null; then
            echo "${folder#/proc/}"
        fi
    done
}

# Simulates a power failure: kills the node and its jobs, without notice to Slurm.
kill_node() {
    local file=$SLURM_FOLDER/slurmd-$1.pid jobs job parent

    [ ! -e "$file" ] || kill -KILL "$(cat "$file")" || true
    rm -f "$file"
    jobs=$(job_processes "$1")
    # first the processes that supervise the jobs
    for job in $jobs; do
        parent=$(awk '/^PPid/ { print $2 }' "/proc/$job/status")
        case $(cat "/proc/$parent/comm") in
        slurmstepd) kill -KILL "$parent" ;;
        esac
    done 2>/dev/null
    [ -z "$jobs" ] || kill -KILL $jobs 2>/dev/null || true
}

# end_process FILE: ends the process whose id is in FILE, and waits for it.
end_process() {
    local pid tries

    [ -e "$1" ] || return 0
    pid=$(cat "$1")
    kill "$pid" || return 0
    for tries in $(seq 100); do
        case $(awk '/^State/ { print $2 }' "/proc/$pid/status" 2>/dev/null) in
        '' | Z) return 0 ;;
        esac
        sleep 0.1
    done
    kill -KILL "$pid"
}

# For teardown_file.
stop_slurm() {
    local node

    for node in n1 n2 n3 n4; do
        kill_node $node
    done
    end_process "$SLURM_FOLDER/slurmctld.pid"
    end_process "$SLURM_FOLDER/munge.pid"
}
