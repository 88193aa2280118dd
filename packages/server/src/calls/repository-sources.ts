import type { Application, ApplicationSource, AppProject } from '@fairlead/api';
import { equalJson, isObject, type JsonObject, messageOf, numberAt, textAt, toJson } from '@fairlead/apimachinery';
import { isSourcePermitted, sourcesOf, TargetStateError } from '@fairlead/app-controller';
import { RenderError } from '@fairlead/render';
import { SourceError } from '@fairlead/source';
import { secretKinds } from '../repositories/repository-secrets.ts';
import { RepositoryStore } from '../repositories/repository-store.ts';
import { unescapedAddress } from '../repositories/repository-url.ts';
import type { CallContext, Calls } from '../rpc/call.ts';
import { invalidArgument, notFound, permissionDenied, RpcError } from '../rpc/rpc-error.ts';
import type { Server } from '../server.ts';
import type { ApplicationSources } from '../sources/application-sources.ts';
import { findApps, helmDetails, imagesOf } from '../sources/source-details.ts';
import { repositoryObject } from './repository.ts';

/** What is in repositories, for clients that help to fill in an Application. */
export const repositorySourceCalls = (server: Server): Calls => {
  const store = new RepositoryStore(server.state);
  const sources = (): ApplicationSources => {
    const { sources: found } = server.options;
    if (!found) throw new RpcError('Unimplemented', 'this server does not read repositories');
    return found;
  };

  /** The address that is asked for, with what opens it in the project. */
  const readable = (context: CallContext, given: string, project: string): string => {
    const url = unescapedAddress(given);
    const repository = store.repository(secretKinds.repository, url, project);
    server.require(context, 'repositories', 'get', repositoryObject(repository));
    return url;
  };

  const permittedIn = (url: string, name: string): AppProject => {
    const project = name === '' ? undefined : server.state.project(name);
    const quoted = JSON.stringify(name);
    if (!project) throw notFound(`error getting app project ${quoted}: appproject.argoproj.io ${quoted} not found`);
    if (!isSourcePermitted(project, { repoURL: url }))
      throw permissionDenied(`repository '${url}' not permitted in project '${name}'`);
    return project;
  };

  /** Only who could make an Application of it may see details of a source, or one that an Application already has. */
  const requireSource = (context: CallContext, request: JsonObject, source: ApplicationSource): void => {
    const [project, name] = [textAt(request, 'appProject'), textAt(request, 'appName')];
    const object = project === '' ? name : `${project}/${name}`;
    server.require(context, 'applications', 'get', object);
    const [at = '', plain] = name.includes('/') ? name.split('/') : [server.state.namespace, name];
    const application = server.state.applications.get(`${at}/${plain}`);
    if (!application) return server.require(context, 'applications', 'create', object);
    const isOwn = (application.spec.project || 'default') === project && isInHistory(application, source, request);
    if (!isOwn) throw permissionDenied();
  };

  return {
    'Repository.ListRefs': async (context, request) => {
      const url = readable(context, textAt(request, 'repo'), textAt(request, 'appProject'));
      return explained(async () => {
        try {
          return await sources().refs(url, textAt(request, 'appProject'));
        } catch (error) {
          // Only this call has a code for it.
          throw isMissing(error) ? notFound('repository not found') : error;
        }
      });
    },

    'Repository.ListOCITags': async (context, request) => {
      const url = readable(context, textAt(request, 'repo'), textAt(request, 'appProject'));
      return { tags: await explained(() => sources().tags(url, textAt(request, 'appProject'))) };
    },

    'Repository.GetHelmCharts': async (context, request) => {
      const url = readable(context, textAt(request, 'repo'), textAt(request, 'appProject'));
      const project = textAt(request, 'appProject');
      return { items: await explained(() => sources().listCharts(url, project), 'error loading repo index: ') };
    },

    'Repository.ListApps': async (context, request) => {
      const [name, project] = [textAt(request, 'appName'), textAt(request, 'appProject')];
      const url = readable(context, textAt(request, 'repo'), project);
      const may = (action: string): boolean =>
        server.allows(context, { resource: 'applications', action, object: `${project}/${name}` });
      if (!may('create') && !may('update')) throw permissionDenied();
      const found = permittedIn(url, project);
      const revision = textAt(request, 'revision');
      const prefix = 'error setting up git client and resolving given revision: ';
      const read = (): ReturnType<ApplicationSources['tree']> => sources().tree({ repoURL: url }, revision, found);
      const { tree } = await explained(() => resolved(revision, read), prefix);
      const apps = await findApps(tree);
      return { items: [...apps].map(([path, type]) => ({ path, type })) };
    },

    'Repository.GetAppDetails': async (context, request) => {
      const given = request['source'];
      if (!isObject(given)) throw invalidArgument('missing payload in request');
      const project = textAt(request, 'appProject');
      const source = { ...given, repoURL: readable(context, textAt(given, 'repoURL'), project) };
      if (!isSource(source)) throw invalidArgument('missing payload in request');
      requireSource(context, request, source);
      const found = permittedIn(source.repoURL, project);
      return details(sources(), source, found, textAt(request, 'appName'));
    },
  };
};

/** The shape of the rest was checked when the request was decoded. */
const isSource = (value: unknown): value is ApplicationSource =>
  isObject(value) && typeof value['repoURL'] === 'string';

async function details(
  sources: ApplicationSources,
  source: ApplicationSource,
  project: AppProject,
  name: string,
): Promise<object> {
  const read = (): ReturnType<ApplicationSources['folder']> => sources.folder(source, project);
  const { targetRevision = '' } = source;
  const { type, path, tree } = source.chart ? await read() : await userInput(() => resolved(targetRevision, read));
  if (type === 'Helm') return { type, helm: await helmDetails(tree, path, source) };
  if (type !== 'Kustomize') return { type };
  const application: Application = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name },
    spec: { project: project.metadata.name ?? '', source, destination: {} },
  };
  const { manifests } = await loaded(() => sources.load(application, project));
  return { type, kustomize: { images: imagesOf(manifests) } };
}

/** The error itself, without what a controller says around it. */
async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw error instanceof TargetStateError && error.cause instanceof Error ? error.cause : error;
  }
}

/** Whether an Application has a source now, or had it at a sync: then with the revision that was synced. */
function isInHistory({ spec, status }: Application, source: ApplicationSource, request: JsonObject): boolean {
  const isSame = (other: ApplicationSource): boolean => equalJson(toJson(other), toJson(source));
  if (sourcesOf(spec).some(isSame)) return true;
  const [index, version] = [numberAt(request, 'sourceIndex'), numberAt(request, 'versionId')];
  return (status?.history ?? []).some(({ id, source: one, revision = '', sources = [], revisions = [] }) => {
    const old = sources.length > 0 ? sources[index] : one;
    const at = sources.length > 0 ? revisions[index] : revision;
    const isMeant = sources.length === 0 || id === version;
    return isMeant && old !== undefined && at !== undefined && isSame({ ...old, targetRevision: at });
  });
}

/** A failure of a repository is answered with its reason. */
async function explained<T>(read: () => Promise<T>, prefix = ''): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    throw new RpcError('Unknown', prefix + messageOf(error));
  }
}

/** Whether there is no repository at an address, or it is no address. */
const isMissing = (error: unknown): boolean =>
  error instanceof SourceError && (error.reason === 'RepositoryNotFound' || error.reason === 'InvalidUrl');

/** A revision that does not exist, in the words that clients know. */
async function resolved<T>(revision: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof SourceError) || error.reason !== 'RevisionNotFound') throw error;
    throw new SourceError(error.reason, `unable to resolve '${revision}' to a commit SHA: revision not found`);
  }
}

/** A path or revision that does not exist is the client's to correct. */
async function userInput<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const isMissing =
      (error instanceof SourceError && error.reason === 'RevisionNotFound') ||
      (error instanceof RenderError && error.reason === 'PathNotFound');
    throw isMissing ? invalidArgument(error.message) : error;
  }
}
