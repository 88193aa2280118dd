#!/usr/bin/env node
// Plain JavaScript that any Node since 14 can read: it only finds a Node that can run the rest, which is TypeScript as it is.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const needed = [22, 19];
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

function isRecent(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

/** The Node that was installed with the project, in the node_modules of this folder or one above it. */
function ownNode() {
  for (let dir = dirname(main); ; dir = dirname(dir)) {
    const candidate = join(dir, 'node_modules', '.bin', 'node');
    if (existsSync(candidate)) {
      const version = spawnSync(candidate, ['--version'], { encoding: 'utf8' });
      if (version.status === 0 && isRecent(version.stdout.trim())) return candidate;
    }
    if (dir === dirname(dir)) return undefined;
  }
}

if (isRecent(process.versions.node)) {
  // That a part of Node is new is not for the user to worry about.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => warning.name === 'ExperimentalWarning' || console.error(String(warning)));
  // Commands are short, and most of their time would go into reading the same code again.
  module.enableCompileCache?.();
  await import(main);
} else {
  const node = ownNode();
  if (node === undefined) {
    console.error(
      `fairlead needs Node ${needed.join('.')} or later and this is ${process.versions.node}: run npm ci, which brings one along, or install a newer Node.`,
    );
    process.exit(1);
  }
  // As `npm start` does. The flags of this process are not passed on: they may be those that the other Node does not need.
  const flags = ['--max-semi-space-size=8'];
  const child = spawn(node, [...flags, fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both of us; anyone else only to this process.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
}
