import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const texts: Readonly<Record<string, string>> = {
  cert: 'new.example.com ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl\n',
  gpg: '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nnone\n-----END PGP PUBLIC KEY BLOCK-----\n',
  appset: JSON.stringify({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: 'new' },
    spec: {
      generators: [{ list: { elements: [] } }],
      template: {
        metadata: { name: '{{env}}' },
        spec: {
          project: 'team',
          source: { repoURL: 'https://git.example.com/a', path: '.' },
          destination: { server: 'https://kubernetes.default.svc' },
        },
      },
    },
  }),
};

/** Arguments of a command; its file is written to that folder. */
export function wordsWith(folder: string, command: readonly string[]): string[] {
  const [group = ''] = command;
  const file = join(folder, `${group}.txt`);
  const text = texts[group];
  if (text !== undefined) writeFileSync(file, text);
  const known: Readonly<Record<string, string>> = {
    REPO: 'https://git.example.com/planted',
    NEW: 'https://127.0.0.1:1/new',
    FILE: file,
  };
  return command.map((word) => known[word] ?? word);
}
