import { youngGenerationFlag } from '@fairlead/kube/process';
import type { ArchiveEntry } from './tar-writer.ts';

/** The user that the image runs as: not root, and the same number as in other images without a shell user. */
export const imageUser = 65532;

const text = (path: string, content: string, mode = 0o644): ArchiveEntry => ({
  type: 'file',
  path,
  mode,
  content: Buffer.from(content),
});

/** The files that maintainer scripts write when packages are installed. */
export function rootFiles(packages: readonly ArchiveEntry[]): ArchiveEntry[] {
  const certificates = packages
    .filter((entry) => entry.type === 'file')
    .filter(({ path }) => path.startsWith('usr/share/ca-certificates/mozilla/') && path.endsWith('.crt'))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ content }) => content.toString('utf8').trimEnd());
  return [
    text('etc/ssl/certs/ca-certificates.crt', `${certificates.join('\n')}\n`),
    text(
      'etc/passwd',
      `root:x:0:0:root:/root:/sbin/nologin\nfairlead:x:${imageUser}:${imageUser}::/home/fairlead:/sbin/nologin\n`,
    ),
    text('etc/group', `root:x:0:\nfairlead:x:${imageUser}:\n`),
    text('etc/nsswitch.conf', 'hosts: files dns\n'),
    { type: 'symlink', path: 'bin/sh', target: 'dash' },
    // Container runtimes mount these; with a read-only root, they must exist.
    ...['proc', 'dev', 'sys'].map((path): ArchiveEntry => ({ type: 'directory', path })),
    { type: 'directory', path: 'tmp', mode: 0o1777 },
    { type: 'directory', path: 'home/fairlead', mode: 0o700, owner: imageUser },
    { type: 'directory', path: 'data', mode: 0o700, owner: imageUser },
  ];
}

const program = ['/usr/local/bin/node', youngGenerationFlag, '/app/packages/cli/bin/fairlead.js'];

/** The command, as it is typed in a shell of the container and in the documentation. */
export const launcher = text('usr/local/bin/fairlead', `#!/bin/sh\nexec ${program.join(' ')} "$@"\n`, 0o755);

/** How a container of the image starts. */
export const processConfig = {
  User: `${imageUser}:${imageUser}`,
  Env: [
    'PATH=/usr/local/bin:/usr/bin:/bin',
    'HOME=/home/fairlead',
    'NODE_ENV=production',
    'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
    'FAIRLEAD_DATA_DIR=/data',
  ],
  Entrypoint: program,
  Cmd: ['help'],
  WorkingDir: '/data',
} as const;
