import { defineCommand } from '../command.ts';
import { backendFlags, listOutput, objectOutput, yesFlag } from './shared-flags.ts';

export const certList = defineCommand({
  name: 'cert list',
  count: [0, 0],
  summary: 'list TLS certificates and SSH host keys',
  about: 'Shows what repository servers are trusted by.',
  flags: {
    'cert-type': { type: 'string', value: 'TYPE', choices: ['ssh', 'https'], help: 'only of this type' },
    'hostname-pattern': { type: 'string', value: 'PATTERN', help: 'only of these hosts, such as *.example.com' },
    ...listOutput,
    ...backendFlags,
  },
  examples: ['cert list', 'cert list --cert-type ssh'],
});

export const certAddTls = defineCommand({
  name: 'cert add-tls',
  args: 'HOST',
  count: [1, 1],
  summary: 'trust TLS certificates for a host',
  about: 'Reads certificates in PEM from --from, or from standard input.',
  flags: {
    from: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'file with certificates; standard input by default',
    },
    upsert: { type: 'boolean', help: 'replace those of the host' },
    ...backendFlags,
  },
  examples: ['cert add-tls git.example.com --from ca.crt'],
});

export const certAddSsh = defineCommand({
  name: 'cert add-ssh',
  count: [0, 0],
  summary: 'trust SSH host keys',
  about: 'Reads lines as ssh-keyscan prints them, or as in known_hosts, from --from or from standard input.',
  flags: {
    batch: { type: 'boolean', help: 'accepted as by argocd: keys are always read as lines' },
    from: { type: 'string', value: 'FILE', completes: 'file', help: 'file with host keys; standard input by default' },
    upsert: { type: 'boolean', help: 'replace keys that are there' },
    ...backendFlags,
  },
  examples: ['cert add-ssh --from known_hosts'],
});

export const certRemove = defineCommand({
  name: 'cert rm',
  aliases: ['cert remove'],
  args: 'HOST',
  count: [1, 1],
  summary: 'remove certificates and host keys of a host',
  about: 'HOST may have wildcards. Asks for confirmation; without a terminal, --yes is required.',
  flags: {
    'cert-type': { type: 'string', value: 'TYPE', choices: ['ssh', 'https'], help: 'only of this type' },
    'cert-sub-type': { type: 'string', value: 'TYPE', help: 'only keys of this type, such as ssh-rsa' },
    ...yesFlag,
    ...backendFlags,
  },
  examples: ['cert rm git.example.com --yes'],
});

export const gpgList = defineCommand({
  name: 'gpg list',
  count: [0, 0],
  summary: 'list GPG keys',
  about: 'Shows the public keys that commits are verified with.',
  flags: { ...listOutput, ...backendFlags },
  examples: ['gpg list'],
});

export const gpgGet = defineCommand({
  name: 'gpg get',
  args: 'KEY-ID',
  count: [1, 1],
  summary: 'show a GPG key',
  about: 'Shows a public key; -o json and -o yaml include it in ASCII armor.',
  flags: { ...objectOutput, ...backendFlags },
  examples: ['gpg get 4AEE18F83AFDEB23'],
});

export const gpgAdd = defineCommand({
  name: 'gpg add',
  count: [0, 0],
  summary: 'add GPG keys',
  about:
    'Reads public keys in ASCII armor from --from, or from standard input. Keys that are there are left as they are.',
  flags: {
    from: { type: 'string', value: 'FILE', completes: 'file', help: 'file with keys; standard input by default' },
    ...backendFlags,
  },
  examples: ['gpg add --from release.asc'],
});

export const gpgRemove = defineCommand({
  name: 'gpg rm',
  aliases: ['gpg remove'],
  args: 'KEY-ID',
  count: [1, 1],
  summary: 'remove a GPG key',
  about: 'Commits signed with it are no longer verified. Asks for confirmation; without a terminal, --yes is required.',
  flags: { ...yesFlag, ...backendFlags },
  examples: ['gpg rm 4AEE18F83AFDEB23 --yes'],
});
