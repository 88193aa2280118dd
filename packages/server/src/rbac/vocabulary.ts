/** A resource of the policy language: its actions, and the short names that `rbac can` understands. */
interface ResourceSpec {
  /** Objects are `PROJECT/NAME`. */
  readonly inProject: boolean;
  readonly actions: readonly string[];
  /** Actions that may go on with `/GROUP/KIND/…`. */
  readonly withPath?: readonly string[];
  readonly shortNames: readonly string[];
  /** False where Argo CD's command does not know the resource, though its server asks for it. */
  readonly inCommand?: false;
}

const crud = ['create', 'get', 'update', 'delete'];

export const rbacResources = {
  clusters: { inProject: true, actions: crud, shortNames: ['cluster'] },
  projects: { inProject: false, actions: crud, shortNames: ['proj', 'projs', 'project'] },
  applications: {
    inProject: true,
    actions: [...crud, 'override', 'sync', 'rollback', 'action'],
    withPath: ['update', 'delete', 'action'],
    shortNames: ['app', 'apps', 'application'],
  },
  applicationsets: { inProject: true, actions: crud, shortNames: ['applicationsets'] },
  repositories: { inProject: true, actions: crud, shortNames: ['repo', 'repos', 'repository'] },
  'write-repositories': { inProject: false, actions: crud, shortNames: [], inCommand: false },
  certificates: {
    inProject: false,
    actions: ['create', 'get', 'delete'],
    shortNames: ['cert', 'certs', 'certificate'],
  },
  accounts: { inProject: false, actions: ['create', 'update'], shortNames: ['account'] },
  gpgkeys: { inProject: false, actions: ['create', 'get', 'delete'], shortNames: ['gpgkey', 'key'] },
  logs: { inProject: true, actions: ['get'], shortNames: ['log', 'logs'] },
  exec: { inProject: true, actions: ['create'], shortNames: ['exec'] },
  extensions: { inProject: false, actions: ['invoke'], shortNames: ['extension'] },
} as const satisfies Record<string, ResourceSpec>;

export type RbacResource = keyof typeof rbacResources;

export const resourceSpec = (name: string): ResourceSpec | undefined =>
  isRbacResource(name) ? rbacResources[name] : undefined;

export const isRbacResource = (name: string): name is RbacResource => Object.hasOwn(rbacResources, name);

export const isInProject = (resource: string): boolean => resourceSpec(resource)?.inProject ?? false;

/** All actions of all resources, in the order of Argo CD's messages. */
export const rbacActions = [
  'get',
  'create',
  'update',
  'delete',
  'sync',
  'rollback',
  'override',
  'action',
  'invoke',
] as const;
