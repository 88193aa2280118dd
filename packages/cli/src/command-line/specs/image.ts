import { strategyNames } from '@fairlead/images/strategies';
import { defineCommand, type Flags } from '../command.ts';
import { applicationNamespace, clusterFlags, logFlags } from './shared-flags.ts';

const registryFlags = {
  'registries-conf': {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'registries.conf: addresses and credentials of registries',
  },
} as const satisfies Flags;

const allTags = { type: 'boolean', help: 'show all tags, not only the best 40' } as const;

export const imageExplain = defineCommand({
  name: 'image explain',
  args: 'APP [ALIAS]',
  count: [1, 2],
  summary: 'explain which tag is chosen for each image of an Application',
  about: `Queries the registries as the image updater does, with the rules of the Application's annotations or of its ImageUpdater resource, and shows for every tag
why it was kept or dropped. Changes nothing.`,
  flags: { 'all-tags': allTags, ...registryFlags, ...applicationNamespace, ...clusterFlags },
  completes: 'app',
  examples: ['image explain storefront', 'image explain storefront web --all-tags'],
});

export const imageTest = defineCommand({
  name: 'image test',
  args: 'IMAGE[:CONSTRAINT]',
  count: [1, 1],
  summary: 'test an update rule against a registry, without a cluster',
  about: 'Reads the tags of an image from its registry and shows which one the rule chooses, and why not the others.',
  flags: {
    strategy: {
      type: 'string',
      value: 'NAME',
      choices: strategyNames,
      help: 'update strategy; semver by default',
    },
    'allow-tags': { type: 'string', value: 'RULE', help: 'allowed tags: any, or regexp:EXPRESSION' },
    'ignore-tags': { type: 'list', value: 'GLOB', help: 'tags to ignore' },
    platform: { type: 'list', value: 'OS/ARCH', help: 'only images for these platforms' },
    credentials: { type: 'string', value: 'REF', help: 'source of user:password: env:VARIABLE or ext:/SCRIPT' },
    'all-tags': allTags,
    ...registryFlags,
  },
  examples: [
    'image test nginx:^1.29',
    "image test ghcr.io/acme/web --strategy newest-build --allow-tags 'regexp:^main-'",
  ],
});

export const imageRun = defineCommand({
  name: 'image run',
  role: true,
  count: [0, 0],
  summary: 'run the image updater on a cluster',
  about: `Finds newer images in registries and updates Applications, as their annotations and ImageUpdater resources specify. If several replicas run, one is the
leader. fairlead up includes it.`,
  flags: {
    mode: {
      type: 'string',
      value: 'MODE',
      choices: ['cycle', 'continuous'],
      help: 'cycle: all Applications, then a pause; continuous: each Application on a separate schedule',
    },
    interval: {
      type: 'string',
      value: 'TIME',
      help: 'time between two checks of an Application; 2m by default; 0 runs one cycle, then exits',
    },
    'max-concurrency': {
      type: 'string',
      value: 'N',
      help: 'Applications that are checked at the same time; 10 by default',
    },
    schedule: {
      type: 'string',
      value: 'ORDER',
      choices: ['default', 'lru', 'fail-first'],
      help: 'order of the Applications',
    },
    cooldown: {
      type: 'string',
      value: 'TIME',
      help: 'how long after an update an Application is checked last; 0 by default',
    },
    'per-repo-cap': {
      type: 'string',
      value: 'N',
      help: 'limit of Applications per repository in a cycle; 0 for no limit',
    },
    'warmup-cache': {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      help: 'query the registries once before the first update; true by default',
    },
    once: { type: 'boolean', help: 'run one cycle, then exit' },
    'dry-run': { type: 'boolean', help: 'show the updates, and write nothing' },
    'leader-election': {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      help: 'only the leader of several replicas works; true by default',
    },
    'enable-webhook': { type: 'boolean', help: 'receive webhooks of registries' },
    'webhook-port': { type: 'string', value: 'N', help: 'port for webhooks; 8082 by default' },
    'webhook-secret': {
      type: 'list',
      value: 'TYPE=SECRET',
      help: 'accepted webhooks: docker.io, ghcr.io, quay.io, harbor, acr, aliyun-acr, cloudevents, gitlab, distribution',
    },
    'webhook-secret-file': {
      type: 'list',
      value: 'TYPE=FILE',
      completes: 'file',
      help: 'the same, with the secret in a file, such as a mounted Secret',
    },
    'webhook-ratelimit-allowed': { type: 'string', value: 'N', help: 'webhooks per hour; 0 for no limit' },
    'status-port': { type: 'string', value: 'N', help: 'port for /metrics, /healthz and /readyz; 8081 by default' },
    'git-commit-user': { type: 'string', value: 'NAME', help: 'author of commits; fairlead by default' },
    'git-commit-email': {
      type: 'string',
      value: 'ADDRESS',
      help: 'e-mail of the author; fairlead@localhost by default',
    },
    'git-commit-message-path': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'template of commit messages',
    },
    'git-commit-sign-off': { type: 'boolean', help: 'add Signed-off-by' },
    'git-commit-signing-key': { type: 'string', value: 'KEY', help: 'id of a GnuPG key, or file of a private SSH key' },
    'git-commit-signing-method': {
      type: 'string',
      value: 'METHOD',
      choices: ['openpgp', 'ssh'],
      help: 'signing method; openpgp by default',
    },
    'commit-window': {
      type: 'string',
      value: 'TIME',
      help: 'how long changes are collected for one commit; 2s by default',
    },
    'allow-env-credentials': { type: 'boolean', help: 'allow images to use env: and ext: credentials of this process' },
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NS',
      completes: 'namespace',
      help: 'only Applications in this namespace; all by default',
    },
    ...registryFlags,
    ...logFlags,
    ...clusterFlags,
  },
  examples: [
    'image run --once --dry-run',
    'image run --mode continuous --interval 30s --enable-webhook --webhook-secret ghcr.io=SECRET',
  ],
});

export const imageTemplate = defineCommand({
  name: 'image template',
  args: '[FILE]',
  count: [0, 1],
  summary: 'render a template of commit messages',
  about:
    'Renders a template with an example of two images of one Application. Without FILE, renders the default template.',
  flags: {},
  completes: 'file',
  examples: ['image template', 'image template commit.tpl'],
});

export const demoPush = defineCommand({
  name: 'demo push',
  args: 'IMAGE TAG',
  count: [2, 2],
  summary: 'push an image to the demo registry of fairlead up',
  about: `Pushes an image with this name and tag to the demo registry that fairlead up runs on loopback. The image updater commits the new tag, the controller
syncs the commit, and the command ends when the image runs. The image is nearly empty: the demo's nodes are simulated.`,
  flags: {
    async: { type: 'boolean', help: 'do not wait until the image runs' },
    timeout: { type: 'string', value: 'TIME', help: 'stop waiting after this time, with exit code 4; 60s by default' },
    ...clusterFlags,
  },
  examples: ['demo push web 1.2.0'],
});
