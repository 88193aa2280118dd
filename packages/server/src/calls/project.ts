import { randomUUID } from 'node:crypto';
import { type AppProject, appProjectKind } from '@fairlead/api';
import {
  equalJson,
  isAlreadyExists,
  isObject,
  type JsonObject,
  numberAt,
  textAt,
  toJson,
} from '@fairlead/apimachinery';
import { activeSyncWindows, globalsOf, readGlobalProjects, SettingsReader } from '@fairlead/app-controller';
import { sanitizedCluster } from '../clusters/cluster-secrets.ts';
import { ClusterStore } from '../clusters/cluster-store.ts';
import { listEvents } from '../events/list-events.ts';
import { linksFor, projectScope } from '../links/links-for.ts';
import { normalizePolicies } from '../projects/normalize-policies.ts';
import { projectFromMessage } from '../projects/project-message.ts';
import { changeTokens, withTokens } from '../projects/project-tokens.ts';
import { updateProblem } from '../projects/update-problem.ts';
import { validateProject } from '../projects/validate-project.ts';
import { withTimeZones } from '../projects/validate-sync-windows.ts';
import { groupsOf } from '../rbac/claims.ts';
import { projectPolicyText, projectSubject } from '../rbac/project-subject.ts';
import { checkPolicy } from '../rbac/validate-policy.ts';
import { secretKinds } from '../repositories/repository-secrets.ts';
import { RepositoryStore, sanitized, withType } from '../repositories/repository-store.ts';
import type { CallContext, Calls } from '../rpc/call.ts';
import { invalidArgument, notFound, RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import { specDifference } from './spec-difference.ts';

const { type } = appProjectKind;

export const projectCalls = (server: Server): Calls => {
  const { state } = server;
  const { client, namespace } = state;
  const read = (name: string): Promise<AppProject> => client.get<AppProject>(type, { namespace, name });
  const write = async (project: AppProject): Promise<AppProject> =>
    state.seen(state.projects, await client.replace(type, project));

  const readPermitted = async (context: CallContext, name: string): Promise<AppProject> => {
    server.require(context, 'projects', 'get', name);
    return withTokens(await read(name));
  };

  /** Members of a role may issue tokens for it. */
  const requireRole = (context: CallContext, project: AppProject, roleName: string): boolean => {
    const role = project.spec.roles?.find(({ name }) => name === roleName);
    if (!role) return false;
    const groups = context.claims ? groupsOf(context.claims, state.enforcer.scopes) : [];
    if (!groups.some((group) => role.groups?.includes(group))) {
      server.require(context, 'projects', 'update', project.metadata.name ?? '');
    }
    return true;
  };

  return {
    'Project.List': async (context) => {
      const { items, resourceVersion } = await client.list<AppProject>(type, { namespace });
      const visible = items.filter(({ metadata: { name = '' } }) =>
        server.allows(context, { resource: 'projects', action: 'get', object: name }),
      );
      return { metadata: { resourceVersion }, items: visible.map(withoutKind) };
    },

    'Project.Get': async (context, request) => withoutKind(await readPermitted(context, textAt(request, 'name'))),

    'Project.Create': async (context, request) => {
      const project = payload(request, namespace);
      server.require(context, 'projects', 'create', project.metadata.name ?? '');
      const checked = prefixed(() => validated(project));
      try {
        const created = await client.create(type, checked);
        return withoutKind(await state.seen(state.projects, created));
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
      const existing = await read(checked.metadata.name ?? '');
      if (request['upsert'] !== true) {
        if (equalJson(toJson(existing.spec), toJson(checked.spec))) return withoutKind(existing);
        throw invalidArgument(specDifference('project', 'v1alpha1.AppProjectSpec', existing.spec, checked.spec));
      }
      server.require(context, 'projects', 'update', checked.metadata.name ?? '');
      return withoutKind(await write({ ...existing, spec: checked.spec }));
    },

    'Project.Update': async (context, request) => {
      const project = payload(request, namespace);
      const name = project.metadata.name ?? '';
      server.require(context, 'projects', 'update', name);
      const checked = withTokens(validated(project));
      const old = await read(name);
      requireNewRights(server, context, old, checked);
      const problem = updateProblem(old, checked, state);
      if (problem !== undefined) throw invalidArgument(problem);
      return withoutKind(await write(checked));
    },

    'Project.Delete': async (context, request) => {
      const name = textAt(request, 'name');
      if (name === 'default') throw invalidArgument("name 'default' is reserved and cannot be deleted");
      server.require(context, 'projects', 'delete', name);
      const project = await read(name);
      const users = state.applications.list().filter(({ spec }) => (spec.project || 'default') === name);
      if (users.length > 0) throw invalidArgument(`project is referenced by ${users.length} applications`);
      await client.delete(type, { namespace, name });
      await state.gone(state.projects, `${namespace}/${name}`, project.metadata.uid);
      return {};
    },

    'Project.GetDetailedProject': async (context, request) => {
      const name = textAt(request, 'name');
      server.require(context, 'projects', 'get', name);
      const project = state.project(name);
      if (!project) {
        throw notFound(`error getting app project "${name}": appproject.argoproj.io "${name}" not found`);
      }
      const isOwn = (one: JsonObject): boolean => textAt(one, 'project') === name;
      const repositories = new RepositoryStore(state).list(secretKinds.repository).map(({ message }) => message);
      const clusters = new ClusterStore(state, () => true).list();
      return {
        project: withoutKind(withTokens(project)),
        globalProjects: globalProjects(server, project),
        repositories: repositories.filter(isOwn).map((repository) => sanitized(withType(repository))),
        clusters: clusters.filter(isOwn).map(sanitizedCluster),
      };
    },

    'Project.GetGlobalProjects': async (context, request) => {
      const project = await readPermitted(context, textAt(request, 'name'));
      return { items: globalProjects(server, project) };
    },

    'Project.ListEvents': async (context, request) => {
      const { metadata } = await readPermitted(context, textAt(request, 'name'));
      return listEvents(client, metadata.namespace ?? '', {
        name: metadata.name ?? '',
        uid: metadata.uid ?? '',
        namespace: metadata.namespace ?? '',
      });
    },

    'Project.GetSyncWindowsState': async (context, request) => {
      const project = await readPermitted(context, textAt(request, 'name'));
      return { windows: activeSyncWindows(project.spec.syncWindows ?? [], state.clock.now()) };
    },

    'Project.ListLinks': async (context, request) => {
      const name = textAt(request, 'name');
      if (!server.allows(context, { resource: 'projects', action: 'get', object: name })) {
        throw new RpcError('Unknown', `unauthorized access to project ${name}`);
      }
      return linksFor(server, 'project', projectScope(await read(name)));
    },

    'Project.CreateToken': async (context, request) => {
      const [name, role] = [textAt(request, 'project'), textAt(request, 'role')];
      const project = await read(name);
      prefixed(() => validated(project));
      if (!requireRole(context, project, role)) throw notFound(`project '${name}' does not have role '${role}'`);
      const given = textAt(request, 'id');
      const used = project.spec.roles?.find((one) => one.name === role)?.jwtTokens?.some(({ id }) => id === given);
      if (given !== '' && used) {
        throw invalidArgument(`rpc error: code = InvalidArgument desc = Token id '${given}' has been used. `);
      }
      const id = given || randomUUID();
      const seconds = numberAt(request, 'expiresIn');
      const iat = Math.floor(state.clock.now() / 1_000);
      const token = server.issueToken({ subject: projectSubject(name, role), seconds, id });
      const added = { iat, id, ...(seconds > 0 ? { exp: iat + seconds } : {}) };
      await write(changeTokens(project, role, (tokens) => [...tokens, added]));
      return { token };
    },

    'Project.DeleteToken': async (context, request) => {
      const [name, role] = [textAt(request, 'project'), textAt(request, 'role')];
      const project = await read(name);
      prefixed(() => validated(project));
      if (!requireRole(context, project, role)) return {};
      const [id, iat] = [textAt(request, 'id'), numberAt(request, 'iat')];
      const tokens = withTokens(project).status?.jwtTokensByRole?.[role]?.items ?? [];
      const dropped = tokens.find((token) => id !== '' && token.id === id) ?? tokens.find((token) => token.iat === iat);
      if (dropped) await write(changeTokens(project, role, (all) => all.filter((token) => token.id !== dropped.id)));
      return {};
    },
  };
};

/** Typed answers have no kind. */
export function withoutKind<T extends object>(object: T): Omit<T, 'apiVersion' | 'kind'> {
  const { apiVersion: _, kind: __, ...rest } = { apiVersion: '', kind: '', ...object };
  return rest;
}

function payload(request: JsonObject, namespace: string): AppProject {
  const project = request['project'];
  // The name in the path makes an object of a request without a body.
  if (!isObject(project)) throw invalidArgument("missing payload 'project' in request");
  return projectFromMessage(project, namespace);
}

/** An error without a code names what was done. */
function prefixed<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== 'Unknown') throw error;
    throw new RpcError('Unknown', `error validating project: ${error.message}`);
  }
}

function validated(project: AppProject): AppProject {
  const normalized = withTimeZones(normalizePolicies(project));
  validateProject(normalized);
  const check = checkPolicy(projectPolicyText(normalized));
  if ('problem' in check) throw invalidArgument(`policy syntax error: ${check.problem}`);
  return normalized;
}

function globalProjects(server: Server, project: AppProject): object[] {
  const settings = readGlobalProjects(new SettingsReader('argocd-cm', server.state.settings));
  return globalsOf(project, settings)
    .flatMap((name) => server.state.project(name) ?? [])
    .map(withoutKind);
}

/** Who adds clusters or repositories to a project needs rights on these. */
function requireNewRights(server: Server, context: CallContext, old: AppProject, project: AppProject): void {
  const clusters = (one: AppProject): string[] => (one.spec.destinations ?? []).map(({ server: url = '' }) => url);
  const added = (now: readonly string[], before: readonly string[]): string[] =>
    [...new Set(now)].filter((text) => !before.includes(text));
  for (const url of added(clusters(project), clusters(old))) server.require(context, 'clusters', 'update', url);
  for (const url of added(project.spec.sourceRepos ?? [], old.spec.sourceRepos ?? [])) {
    server.require(context, 'repositories', 'update', url);
  }
  const lists = [
    'clusterResourceWhitelist',
    'clusterResourceBlacklist',
    'namespaceResourceBlacklist',
    'namespaceResourceWhitelist',
  ] as const;
  if (lists.every((list) => equalJson(toJson(old.spec[list]), toJson(project.spec[list])))) return;
  for (const url of clusters(project)) server.require(context, 'clusters', 'update', url);
}
