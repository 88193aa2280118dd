import { defineCommand, type Flags } from '../command.ts';
import { backendFlags, listOutput, objectOutput, yesFlag } from './shared-flags.ts';

const fileFlag = (what: string) =>
  ({ type: 'string', value: 'FILE', completes: 'file', help: `file with ${what}` }) as const;

const credentialFlags = {
  username: { type: 'string', value: 'NAME', help: 'user' },
  password: {
    type: 'string',
    value: 'PASSWORD',
    help: 'password or token. Others can see it in the list of processes: --password-stdin is better',
  },
  'password-stdin': { type: 'boolean', help: 'read the password from standard input' },
  'bearer-token': { type: 'string', value: 'TOKEN', help: 'bearer token, as Bitbucket Data Center has' },
  'ssh-private-key-path': fileFlag('a private SSH key'),
  'tls-client-cert-path': fileFlag('a client certificate'),
  'tls-client-cert-key-path': fileFlag('the key of the client certificate'),
  'github-app-id': { type: 'string', value: 'N', help: 'id of a GitHub App' },
  'github-app-installation-id': { type: 'string', value: 'N', help: 'id of its installation' },
  'github-app-private-key-path': fileFlag('the private key of the GitHub App'),
  'github-app-enterprise-base-url': { type: 'string', value: 'URL', help: 'API of GitHub Enterprise' },
  'gcp-service-account-key-path': fileFlag('the key of a Google service account'),
  'force-http-basic-auth': { type: 'boolean', help: 'always send user and password' },
  'use-azure-workload-identity': { type: 'boolean', help: 'use the workload identity of Azure' },
  type: { type: 'string', value: 'TYPE', choices: ['git', 'helm', 'oci'], help: 'git by default' },
  'enable-oci': { type: 'boolean', help: 'the Helm repository is an OCI registry' },
  proxy: { type: 'string', value: 'URL', help: 'proxy to use' },
  'no-proxy': { type: 'string', value: 'LIST', help: 'hosts that are connected to without the proxy' },
  upsert: { type: 'boolean', help: 'replace what is stored' },
} as const satisfies Flags;

const project = {
  project: { type: 'string', value: 'PROJECT', completes: 'project', help: 'project that it belongs to' },
} as const satisfies Flags;

export const repoList = defineCommand({
  name: 'repo list',
  count: [0, 0],
  summary: 'list repositories, and whether they can be read',
  about: 'Shows the repositories that you may see and the result of the last connection. No credentials are shown.',
  flags: { ...listOutput, ...backendFlags },
  examples: ['repo list', 'repo list -o json'],
});

export const repoGet = defineCommand({
  name: 'repo get',
  args: 'URL',
  count: [1, 1],
  summary: 'show a repository',
  about: 'Shows a repository and whether it can be read. --refresh tests the connection now.',
  flags: {
    ...project,
    refresh: { type: 'boolean', help: 'test the connection now' },
    ...objectOutput,
    ...backendFlags,
  },
  examples: ['repo get https://git.example.com/shop.git --refresh'],
});

export const repoAdd = defineCommand({
  name: 'repo add',
  args: 'URL',
  count: [1, 1],
  summary: 'add a repository',
  about:
    'Tests whether the repository can be read, and stores it with its credentials. The server never answers with credentials.',
  flags: {
    name: { type: 'string', value: 'NAME', help: 'name; required for Helm repositories' },
    ...credentialFlags,
    'insecure-skip-server-verification': {
      type: 'boolean',
      help: 'accept any certificate or host key of the repository',
    },
    'enable-lfs': { type: 'boolean', help: 'fetch files of Git LFS' },
    depth: { type: 'string', value: 'N', help: 'fetch this many commits only' },
    ...project,
    ...backendFlags,
  },
  examples: [
    'repo add https://git.example.com/shop.git --username ci --password-stdin',
    'repo add git@git.example.com:shop.git --ssh-private-key-path ~/.ssh/id_ed25519',
    'repo add https://charts.example.com --type helm --name charts',
  ],
});

export const repoRemove = defineCommand({
  name: 'repo rm',
  aliases: ['repo remove', 'repo delete'],
  args: 'URL…',
  count: [1, 20],
  summary: 'remove repositories',
  about: 'Removes what is stored of the repositories. Asks for confirmation; without a terminal, --yes is required.',
  flags: { ...project, ...yesFlag, ...backendFlags },
  examples: ['repo rm https://git.example.com/shop.git --yes'],
});

export const repocredsList = defineCommand({
  name: 'repocreds list',
  count: [0, 0],
  summary: 'list credentials by URL',
  about: 'Shows the URL prefixes that credentials are stored for, with their users.',
  flags: { ...listOutput, ...backendFlags },
  examples: ['repocreds list'],
});

export const repocredsAdd = defineCommand({
  name: 'repocreds add',
  args: 'URL',
  count: [1, 1],
  summary: 'add credentials for all repositories below a URL',
  about: 'Repositories whose URL begins with URL use these credentials if they have none.',
  flags: { ...credentialFlags, ...backendFlags },
  examples: ['repocreds add https://git.example.com/shop --username ci --password-stdin'],
});

export const repocredsRemove = defineCommand({
  name: 'repocreds rm',
  aliases: ['repocreds remove', 'repocreds delete'],
  args: 'URL…',
  count: [1, 20],
  summary: 'remove credentials',
  about: 'Asks for confirmation; without a terminal, --yes is required.',
  flags: { ...yesFlag, ...backendFlags },
  examples: ['repocreds rm https://git.example.com/shop --yes'],
});
