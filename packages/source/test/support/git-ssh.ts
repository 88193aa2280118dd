import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { freePort, untilListening } from './listen.ts';

export interface GitSshServer {
  readonly port: number;
  /** `ssh://user@127.0.0.1:PORT` */
  readonly url: string;
  /** The authorized key. */
  readonly privateKey: string;
  /** A key that is not authorized. */
  readonly otherKey: string;
  readonly knownHosts: string;
  close(): Promise<void>;
}

/** A real `sshd` on loopback, with its own host key and authorized key. */
export async function startSshd(sshd: string, dir: string): Promise<GitSshServer> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const name of ['host', 'user', 'other']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(dir, name)]);
  }
  writeFileSync(join(dir, 'authorized_keys'), readFileSync(join(dir, 'user.pub')), { mode: 0o600 });
  chmodSync(dir, 0o700);
  // sshd started by root requires this directory.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
  const port = await freePort();
  const config = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(dir, 'host')}`,
    `AuthorizedKeysFile ${join(dir, 'authorized_keys')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'AcceptEnv GIT_PROTOCOL',
    'LogLevel QUIET',
  ];
  writeFileSync(join(dir, 'sshd_config'), `${config.join('\n')}\n`);
  const child = spawn(sshd, ['-D', '-f', join(dir, 'sshd_config')], { stdio: 'ignore' });
  let ended = false;
  const end = new Promise<void>((resolve) =>
    child.once('close', () => {
      ended = true;
      resolve();
    }),
  );
  await untilListening(port, () => !ended);
  const hostKey = readFileSync(join(dir, 'host.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
  return {
    port,
    url: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    privateKey: readFileSync(join(dir, 'user'), 'utf8'),
    otherKey: readFileSync(join(dir, 'other'), 'utf8'),
    knownHosts: `[127.0.0.1]:${port} ${hostKey}`,
    async close() {
      child.kill();
      await end;
    },
  };
}
