// SPDX-License-Identifier: MIT OR Unlicense
// usage: node program.mjs FILE.wasm
//
// Runs a program of ../kernel/start.h: it writes through host.write().
import { readFileSync } from "node:fs";

let module;
const write = (text, n) =>
	process.stdout.write(new Uint8Array(module.exports.memory.buffer, text, n));
const code = readFileSync(process.argv[2]);
module = (await WebAssembly.instantiate(code, { host: { write } })).instance;
process.exitCode = module.exports.program();
