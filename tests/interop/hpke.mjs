// Seals and opens messages with the HPKE packages of npm: node hpke.mjs PACKAGES < REQUESTS
//
// PACKAGES is the directory with node_modules. Each line of standard input is a request, a JSON object, and each
// line of standard output its answer. All bytes are hexadecimal.
//
//   {"open": {"receiver": PRIVATE, "sender": PUBLIC, "enc": .., "info": .., "messages": [[AAD, SEALED], ...]}}
//   {"seal": {"sender": PRIVATE, "receiver": PUBLIC, "info": .., "messages": [[AAD, PLAIN], ...]}}
//
// The answer has the other messages, and enc for "seal". It is {"refused": REASON} if a message does not open.

import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { resolve } from "node:path";

const require = createRequire(resolve(process.argv[2], "package.json"));
const { CipherSuite, HkdfSha256, Aes256Gcm } = require("@hpke/core");
const { DhkemX25519HkdfSha256 } = require("@hpke/dhkem-x25519");

const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

function bytes(hex) {
  const raw = Buffer.from(hex, "hex");
  if (raw.length * 2 !== hex.length) throw new Error("not hexadecimal");
  return raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length);
}

function hex(buffer) {
  return Buffer.from(buffer).toString("hex");
}


async function open({ receiver, sender, enc, info, messages }) {
  const context = await suite.createRecipientContext({
    recipientKey: await suite.kem.importKey("raw", bytes(receiver), false),
    senderPublicKey: await suite.kem.importKey("raw", bytes(sender), true),
    enc: bytes(enc),
    info: bytes(info),
  });
  const opened = [];
  for (const [aad, sealed] of messages) opened.push(hex(await context.open(bytes(sealed), bytes(aad))));
  return { messages: opened };
}

async function seal({ sender, receiver, info, messages }) {
  const context = await suite.createSenderContext({
    senderKey: await suite.kem.importKey("raw", bytes(sender), false),
    recipientPublicKey: await suite.kem.importKey("raw", bytes(receiver), true),
    info: bytes(info),
  });
  const sealed = [];
  for (const [aad, plain] of messages) sealed.push(hex(await context.seal(bytes(plain), bytes(aad))));
  return { enc: hex(context.enc), messages: sealed };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  let answer;
  if (request.seal) {
    answer = await seal(request.seal);
  } else {
    try {
      answer = await open(request.open);
    } catch (error) {
      if (!["OpenError", "DecapError", "DeserializeError"].includes(error.name)) throw error;
      answer = { refused: error.name };
    }
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
