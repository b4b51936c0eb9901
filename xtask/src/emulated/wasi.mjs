// Runs a WebAssembly program with its arguments, this environment, and every file of this
// system under its own name.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [path, ...rest] = process.argv.slice(2);
const wasi = new WASI({
  version: 'preview1',
  args: [path, ...rest],
  env: process.env,
  preopens: { '/': '/' },
});
const program = await WebAssembly.instantiate(
  await WebAssembly.compile(await readFile(path)),
  wasi.getImportObject(),
);
process.exitCode = wasi.start(program);
