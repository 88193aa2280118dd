import { type CommandSpec, defineCommand, type Flags } from '../command.ts';
import { backendFlags, listOutput, objectOutput, yesFlag } from './shared-flags.ts';

const specFlags = {
  description: { type: 'string', value: 'TEXT', help: 'what the project is for' },
  src: { type: 'list', short: 's', value: 'URL', help: 'repository that Applications may use; * for all' },
  dest: {
    type: 'list',
    short: 'd',
    value: 'SERVER,NAMESPACE',
    help: 'destination that Applications may have; * for all namespaces',
  },
  'source-namespaces': { type: 'list', value: 'NS', help: 'namespace that Applications may be in, beside argocd' },
  'allow-cluster-resource': { type: 'list', value: 'GROUP/KIND', help: 'cluster-scoped kind that is allowed' },
  'deny-cluster-resource': { type: 'list', value: 'GROUP/KIND', help: 'cluster-scoped kind that is denied' },
  'allow-namespaced-resource': { type: 'list', value: 'GROUP/KIND', help: 'namespaced kind that is allowed' },
  'deny-namespaced-resource': { type: 'list', value: 'GROUP/KIND', help: 'namespaced kind that is denied' },
  'orphaned-resources': { type: 'boolean', help: 'report objects that belong to no Application' },
  'orphaned-resources-warn': { type: 'boolean', help: 'warn of them; needs --orphaned-resources' },
} as const satisfies Flags;

export const projectList = defineCommand({
  name: 'project list',
  aliases: ['proj list'],
  count: [0, 0],
  summary: 'list projects',
  about: 'Shows the projects that you may see, with what their Applications may use.',
  flags: { ...listOutput, ...backendFlags },
  completes: 'project',
  examples: ['project list', 'project list -o name'],
});

export const projectGet = defineCommand({
  name: 'project get',
  aliases: ['proj get'],
  args: 'PROJECT',
  count: [1, 1],
  summary: 'show a project',
  about: 'Shows what Applications of the project may use, its roles and sync windows.',
  flags: { ...objectOutput, ...backendFlags },
  completes: 'project',
  examples: ['project get shop', 'project get shop -o yaml'],
});

export const projectCreate = defineCommand({
  name: 'project create',
  aliases: ['proj create'],
  args: '[PROJECT]',
  count: [0, 1],
  summary: 'create a project',
  about: 'Creates a project from flags, or from a file with -f; flags are added to what the file has.',
  flags: {
    file: { type: 'string', short: 'f', value: 'FILE', completes: 'file', help: 'YAML or JSON of the project' },
    upsert: { type: 'boolean', help: 'change a project that exists' },
    ...specFlags,
    ...backendFlags,
  },
  examples: [
    "project create shop -s https://git.example.com/shop.git -d 'https://kubernetes.default.svc,shop-*'",
    'project create -f shop.yaml --upsert',
  ],
});

export const projectSet = defineCommand({
  name: 'project set',
  aliases: ['proj set'],
  args: 'PROJECT',
  count: [1, 1],
  summary: 'change fields of a project',
  about: 'Replaces the fields that flags name; others stay as they are.',
  flags: { ...specFlags, ...backendFlags },
  completes: 'project',
  examples: ['project set shop --description storefront'],
});

export const projectDelete = defineCommand({
  name: 'project delete',
  aliases: ['proj delete', 'project rm'],
  args: 'PROJECT…',
  count: [1, 20],
  summary: 'delete projects',
  about:
    'Asks for confirmation; without a terminal, --yes is required. A project that has Applications is not deleted.',
  flags: { ...yesFlag, ...backendFlags },
  completes: 'project',
  examples: ['project delete shop --yes'],
});

/** A command that changes one field of a project. */
function change<const F extends Flags>(
  name: string,
  args: string,
  text: Pick<CommandSpec, 'summary' | 'about' | 'examples'>,
  flags: F,
): CommandSpec<F & typeof backendFlags> {
  const count = args.split(' ').length;
  return {
    name: `project ${name}`,
    aliases: [`proj ${name}`],
    args,
    count: [count, count],
    ...text,
    flags: { ...flags, ...backendFlags },
    completes: 'project',
  };
}

export const projectAddSource = change(
  'add-source',
  'PROJECT URL',
  {
    summary: 'allow a repository',
    about: 'URL may have wildcards; !URL denies a repository.',
    examples: ['project add-source shop https://git.example.com/shop.git'],
  },
  {},
);

export const projectRemoveSource = change(
  'remove-source',
  'PROJECT URL',
  {
    summary: 'remove a repository from those allowed',
    about: 'URL is exactly as it is listed.',
    examples: ['project remove-source shop https://git.example.com/shop.git'],
  },
  {},
);

const byName = {
  name: { type: 'boolean', help: 'CLUSTER is the name of a cluster, not its address' },
} as const satisfies Flags;

export const projectAddDestination = change(
  'add-destination',
  'PROJECT CLUSTER NAMESPACE',
  {
    summary: 'allow a destination',
    about: 'CLUSTER is the address of a cluster, or its name with --name. Both may have wildcards.',
    examples: [
      'project add-destination shop https://kubernetes.default.svc shop',
      'project add-destination shop prod shop --name',
    ],
  },
  byName,
);

export const projectRemoveDestination = change(
  'remove-destination',
  'PROJECT CLUSTER NAMESPACE',
  {
    summary: 'remove a destination from those allowed',
    about: 'CLUSTER and NAMESPACE are exactly as they are listed.',
    examples: ['project remove-destination shop https://kubernetes.default.svc shop'],
  },
  byName,
);

const listFlag = (otherwise: string) =>
  ({
    list: {
      type: 'string',
      short: 'l',
      value: 'LIST',
      choices: ['allow', 'deny'],
      help: `which list is changed; ${otherwise} by default`,
    },
  }) as const satisfies Flags;

export const projectAllowClusterResource = change(
  'allow-cluster-resource',
  'PROJECT GROUP KIND',
  {
    summary: 'allow a cluster-scoped kind',
    about: 'Adds it to the list of allowed kinds, or removes it from that of denied ones with --list deny.',
    examples: ["project allow-cluster-resource shop '' Namespace"],
  },
  listFlag('allow'),
);

export const projectDenyClusterResource = change(
  'deny-cluster-resource',
  'PROJECT GROUP KIND',
  {
    summary: 'deny a cluster-scoped kind',
    about: 'Removes it from the list of allowed kinds, or adds it to that of denied ones with --list deny.',
    examples: ["project deny-cluster-resource shop '' Namespace"],
  },
  listFlag('allow'),
);

export const projectAllowNamespaceResource = change(
  'allow-namespace-resource',
  'PROJECT GROUP KIND',
  {
    summary: 'allow a namespaced kind',
    about: 'Removes it from the list of denied kinds, or adds it to that of allowed ones with --list allow.',
    examples: ['project allow-namespace-resource shop apps Deployment'],
  },
  listFlag('deny'),
);

export const projectDenyNamespaceResource = change(
  'deny-namespace-resource',
  'PROJECT GROUP KIND',
  {
    summary: 'deny a namespaced kind',
    about: 'Adds it to the list of denied kinds, or removes it from that of allowed ones with --list allow.',
    examples: ["project deny-namespace-resource shop '' ResourceQuota"],
  },
  listFlag('deny'),
);

export const roleList = change(
  'role list',
  'PROJECT',
  {
    summary: 'list the roles of a project',
    about: 'Shows the roles with their descriptions.',
    examples: ['project role list shop'],
  },
  listOutput,
);

export const roleGet = change(
  'role get',
  'PROJECT ROLE',
  {
    summary: 'show a role of a project',
    about: 'Shows the policies, groups and tokens of the role; never a token.',
    examples: ['project role get shop deployer'],
  },
  objectOutput,
);

export const roleCreate = change(
  'role create',
  'PROJECT ROLE',
  {
    summary: 'create a role',
    about: 'Creates a role without policies.',
    examples: ['project role create shop deployer'],
  },
  { description: { type: 'string', value: 'TEXT', help: 'what the role is for' } },
);

export const roleDelete = change(
  'role delete',
  'PROJECT ROLE',
  {
    summary: 'delete a role',
    about: 'Deletes the role. Its tokens are refused from then on.',
    examples: ['project role delete shop deployer'],
  },
  {},
);

const policyFlags = {
  action: {
    type: 'string',
    short: 'a',
    value: 'ACTION',
    help: 'get, create, update, delete, sync, override, action/… or *',
  },
  object: { type: 'string', short: 'o', value: 'NAME', help: 'Application of the project; * for all' },
  permission: {
    type: 'string',
    short: 'p',
    value: 'EFFECT',
    choices: ['allow', 'deny'],
    help: 'effect; allow by default',
  },
  resource: {
    type: 'string',
    short: 'r',
    value: 'RESOURCE',
    help: 'applications by default, or applicationsets, logs, exec, repositories, clusters',
  },
} as const satisfies Flags;

export const roleAddPolicy = change(
  'role add-policy',
  'PROJECT ROLE',
  {
    summary: 'allow or deny a role something',
    about: 'Adds a line to the policies of the role.',
    examples: ["project role add-policy shop deployer --action sync --object '*'"],
  },
  policyFlags,
);

export const roleRemovePolicy = change(
  'role remove-policy',
  'PROJECT ROLE',
  {
    summary: 'remove a line from the policies of a role',
    about: 'The flags are those that the line was added with.',
    examples: ["project role remove-policy shop deployer --action sync --object '*'"],
  },
  policyFlags,
);

export const roleAddGroup = change(
  'role add-group',
  'PROJECT ROLE GROUP',
  {
    summary: 'give a role to a group',
    about: 'GROUP is a group of the OpenID provider.',
    examples: ['project role add-group shop deployer shop-team'],
  },
  {},
);

export const roleRemoveGroup = change(
  'role remove-group',
  'PROJECT ROLE GROUP',
  {
    summary: 'take a role from a group',
    about: 'Members of the group lose the rights of the role.',
    examples: ['project role remove-group shop deployer shop-team'],
  },
  {},
);

export const roleCreateToken = change(
  'role create-token',
  'PROJECT ROLE',
  {
    summary: 'create a token of a role',
    about: 'Prints a new token, once.',
    examples: ['project role create-token shop deployer --expires-in 720h'],
  },
  {
    id: { type: 'string', short: 'i', value: 'ID', help: 'id of the token; a random one by default' },
    'expires-in': {
      type: 'string',
      short: 'e',
      value: 'TIME',
      help: 'how long it is valid, such as 24h; forever by default',
    },
    'token-only': { type: 'boolean', short: 't', help: 'accepted as by argocd: only the token is printed' },
  },
);

export const roleListTokens = change(
  'role list-tokens',
  'PROJECT ROLE',
  {
    summary: 'list the tokens of a role',
    about: 'Shows ids and times, never a token.',
    examples: ['project role list-tokens shop deployer'],
  },
  listOutput,
);

export const roleDeleteToken = change(
  'role delete-token',
  'PROJECT ROLE ISSUED-AT',
  {
    summary: 'delete a token of a role',
    about: 'ISSUED-AT is the number that project role list-tokens shows, or the id of the token.',
    examples: ['project role delete-token shop deployer 1763450000'],
  },
  {},
);
