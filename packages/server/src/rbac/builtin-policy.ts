import { parsePolicy } from './policy.ts';

const readable = ['certificates', 'clusters', 'repositories', 'write-repositories', 'projects', 'accounts', 'gpgkeys'];

/** What `role:admin` may do in addition to reading, by resource. */
const admin: Readonly<Record<string, readonly string[]>> = {
  applications: ['create', 'update', 'update/*', 'delete', 'delete/*', 'sync', 'rollback', 'override', 'action/*'],
  applicationsets: ['get', 'create', 'update', 'delete'],
  exec: ['create'],
  certificates: ['create', 'update', 'delete'],
  clusters: ['create', 'update', 'delete'],
  repositories: ['create', 'update', 'delete'],
  'write-repositories': ['create', 'update', 'delete'],
  projects: ['create', 'update', 'delete'],
  accounts: ['update'],
  gpgkeys: ['create', 'delete'],
};

const inProjects: ReadonlySet<string> = new Set(['applications', 'applicationsets', 'exec', 'logs']);

const line = (role: string, resource: string, action: string): string =>
  `p, ${role}, ${resource}, ${action}, ${inProjects.has(resource) ? '*/*' : '*'}, allow`;

/** Argo CD's: `role:readonly`, `role:admin`, and the user `admin` in the latter. Loaded before every other policy. */
export const builtinPolicyText = [
  ...['applications', 'applicationsets', 'logs', ...readable].map((resource) => line('role:readonly', resource, 'get')),
  ...Object.entries(admin).flatMap(([resource, actions]) =>
    actions.map((action) => line('role:admin', resource, action)),
  ),
  'g, role:admin, role:readonly',
  'g, admin, role:admin',
].join('\n');

export const builtinPolicy = parsePolicy(builtinPolicyText);
