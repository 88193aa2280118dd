import { strategyNames } from '@fairlead/images/strategies';
import { defineCommand, type Flags } from '../command.ts';
import { applicationFlags, clusterFlags } from './shared-flags.ts';

const registryFlags = {
  'registries-conf': {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    help: 'registries.conf: how registries are reached and opened',
  },
} as const satisfies Flags;

const allTags = { type: 'boolean', help: 'every tag; else the best 40 and how many more there are' } as const;

export const imageExplain = defineCommand({
  name: 'image explain',
  args: 'APP [ALIAS]',
  count: [1, 2],
  summary: 'for each image of an Application: which tag its rule chooses, and why not the others',
  about: `Asks the registries as the image updater would, with the rules of the Application's annotations or of the ImageUpdater resource that names
it, and says for every tag why it was kept or dropped. Nothing is written.`,
  flags: { 'all-tags': allTags, ...registryFlags, ...applicationFlags },
  completes: 'app',
  examples: ['image explain storefront', 'image explain storefront web --all-tags'],
});

export const imageTest = defineCommand({
  name: 'image test',
  args: 'IMAGE[:CONSTRAINT]',
  count: [1, 1],
  summary: 'try a rule on an image at its registry, without a cluster',
  about: 'Asks the registry for the tags of an image and says which one the rule chooses, and why not the others.',
  flags: {
    strategy: {
      type: 'string',
      value: 'NAME',
      choices: strategyNames,
      help: 'semver when absent',
    },
    'allow-tags': { type: 'string', value: 'RULE', help: 'any, or regexp:EXPRESSION' },
    'ignore-tags': { type: 'list', value: 'GLOB', help: 'tags that do not count' },
    platform: { type: 'list', value: 'OS/ARCH', help: 'only images for these' },
    credentials: { type: 'string', value: 'REF', help: 'env:VARIABLE or ext:/SCRIPT that gives user:password' },
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
  count: [0, 0],
  summary: 'run the image updater against a cluster',
  about: `Watches registries and moves Applications to newer images, by their annotations and by ImageUpdater resources. In a cluster one of several
copies works, by a Lease. fairlead up runs it by itself.`,
  flags: {
    mode: {
      type: 'string',
      value: 'MODE',
      choices: ['cycle', 'continuous'],
      help: 'cycle: all, then a pause; continuous: each on its own schedule',
    },
    interval: { type: 'string', value: 'TIME', help: 'between two looks at an Application; 2m' },
    'max-concurrency': { type: 'string', value: 'N', help: 'Applications that are looked at at once; 10' },
    schedule: { type: 'string', value: 'ORDER', choices: ['default', 'lru', 'fail-first'], help: 'who comes first' },
    cooldown: { type: 'string', value: 'TIME', help: 'so long after a success an Application comes last; 0' },
    'per-repo-cap': { type: 'string', value: 'N', help: 'Applications of one repository in a round; 0 for all' },
    'warmup-cache': {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      help: 'ask registries before the first decision; true',
    },
    once: { type: 'boolean', help: 'one round, then end' },
    'dry-run': { type: 'boolean', help: 'say what would be written, and write nothing' },
    'leader-election': {
      type: 'string',
      value: 'true|false',
      choices: ['true', 'false'],
      help: 'one of several copies works; true',
    },
    'enable-webhook': { type: 'boolean', help: 'hear webhooks of registries' },
    'webhook-port': { type: 'string', value: 'N', help: '8082' },
    'webhook-secret': {
      type: 'list',
      value: 'TYPE=SECRET',
      help: 'which kinds are heard: docker.io, ghcr.io, quay.io, harbor, acr, aliyun-acr, cloudevents, gitlab, distribution',
    },
    'webhook-ratelimit-allowed': { type: 'string', value: 'N', help: 'webhooks an hour; 0 for any number' },
    'status-port': { type: 'string', value: 'N', help: 'where /metrics, /healthz and /readyz are served; 8081' },
    'git-commit-user': { type: 'string', value: 'NAME', help: 'fairlead' },
    'git-commit-email': { type: 'string', value: 'ADDRESS', help: 'fairlead@localhost' },
    'git-commit-message-path': {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      help: 'a template for commit messages',
    },
    'git-commit-sign-off': { type: 'boolean', help: 'add Signed-off-by' },
    'git-commit-signing-key': { type: 'string', value: 'KEY', help: 'id of a GnuPG key, or file of a private SSH key' },
    'git-commit-signing-method': {
      type: 'string',
      value: 'METHOD',
      choices: ['openpgp', 'ssh'],
      help: 'openpgp when absent',
    },
    'commit-window': { type: 'string', value: 'TIME', help: 'so long changes are gathered into one commit; 2s' },
    'allow-env-credentials': { type: 'boolean', help: 'images may name env: and ext: credentials of this process' },
    namespace: {
      type: 'string',
      short: 'n',
      value: 'NS',
      completes: 'namespace',
      help: 'only Applications of this namespace; all when absent',
    },
    ...registryFlags,
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
  summary: 'what a template of commit messages comes to',
  about:
    'Renders a template with an example: two images of one Application. Without FILE, the template that is used when none is given.',
  flags: {},
  completes: 'file',
  examples: ['image template', 'image template commit.tpl'],
});

export const demoPush = defineCommand({
  name: 'demo push',
  args: 'IMAGE TAG',
  count: [2, 2],
  summary: 'push an image to the demo registry of fairlead up, and see it go live',
  about: `Pushes an image of that name and tag to the registry that fairlead up runs on loopback for its demo. The image updater commits the new tag, the
controller syncs the commit, and the command ends when the image runs. The image itself is as good as empty: the demo's nodes are simulated.`,
  flags: {
    async: { type: 'boolean', help: 'push, and do not wait for it to go live' },
    timeout: { type: 'string', value: 'TIME', help: 'give up after so long, with exit code 4; 60s' },
    ...clusterFlags,
  },
  examples: ['demo push web 1.2.0'],
});
