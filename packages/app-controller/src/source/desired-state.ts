import type { ApplicationSource, ApplicationSpec, AppProject } from '@fairlead/api';
import { must } from '@fairlead/apimachinery';
import type { Manifest, RenderContext, Rendered, SourceType, Tree } from '@fairlead/render';
import { type SourceAsk, sameHost, withNetworks } from '@fairlead/source';
import { singleSourceOf } from '../hydrator/hydrated-sources.ts';
import { allowedNetworksOf } from '../project/allowed-networks.ts';
import type { ReconcileEnv } from '../reconcile-env.ts';
import { permitSource, remoteSources } from './remote-sources.ts';
import { verifySource } from './signatures.ts';
import { asTargetStateError } from './target-state-error.ts';

/** The content of the sources of an Application, at one revision each. */
export interface DesiredState {
  readonly manifests: readonly Manifest[];
  /** The commit of each source, or the version of its chart. */
  readonly revisions: readonly string[];
  /** Empty for a source that is only referenced by others. */
  readonly types: readonly (SourceType | '')[];
  /** The rendered manifests of each source: the identical object as long as none of its inputs changes. */
  readonly rendered: readonly (Rendered | undefined)[];
}

/**
 * The revisions to report. A commit that changes no input of an Application costs no write, in a monorepo of any size: the Application
 * stays at the commit that last changed one. For a source that is only referenced by others, the files that they read are its inputs. A
 * requested refresh reports the commit that was compared.
 */
export function keepUnchanged(
  before: DesiredState | undefined,
  now: DesiredState,
  { asked = false }: { readonly asked?: boolean } = {},
): DesiredState {
  if (asked && before?.revisions.join() !== now.revisions.join()) return now;
  const same =
    before?.rendered.length === now.rendered.length &&
    before.rendered.every((rendered, i) => rendered === now.rendered[i]);
  return before && same && now.rendered.some((rendered) => rendered !== undefined) ? before : now;
}

export interface DesiredStateOptions {
  /** Revisions to use instead of those of the sources. */
  readonly revisions?: readonly string[];
  /** Resolve revisions again. */
  readonly fresh?: boolean;
  /** Drop cached manifests. */
  readonly hard?: boolean;
}

/** The Application that sources are rendered for: what templates may use, and what its project permits. */
export interface RenderTarget extends Pick<RenderContext, 'name' | 'namespace' | 'kubeVersion' | 'apiVersions'> {
  readonly project: AppProject;
}

export function sourcesOf(
  spec: Pick<ApplicationSpec, 'source' | 'sources' | 'sourceHydrator'>,
): readonly ApplicationSource[] {
  if (spec.sources?.length) return spec.sources;
  const source = singleSourceOf(spec);
  return source ? [source] : [];
}

/** A source at its resolved revision. */
interface ResolvedSource {
  readonly source: ApplicationSource;
  readonly revision: string;
  readonly tree: () => Promise<Tree>;
}

/** A read-only comparison does not check signatures: the sync checks them before it applies anything. */
type SourceEnv = Pick<ReconcileEnv, 'sources' | 'manifests' | 'failures' | 'access'> &
  Partial<Pick<ReconcileEnv, 'signatures' | 'settings'>>;

/** Reads and renders sources. Cached content is not read again, and nothing is rendered whose inputs have not changed. */
export async function loadDesiredState(
  env: SourceEnv,
  renderTarget: RenderTarget,
  sources: readonly ApplicationSource[],
  options: DesiredStateOptions = {},
): Promise<DesiredState> {
  const failedAt =
    (index: number, resolving = false) =>
    (error: unknown) => {
      const source = must(sources[index], `source ${index}`);
      throw asTargetStateError(error, {
        source,
        index,
        count: sources.length,
        ...(resolving ? { requested: requestedOf(source, index, options) } : {}),
      });
    };
  const resolved = await Promise.all(
    sources.map((source, i) => resolveSource(env, renderTarget, source, i, options).catch(failedAt(i, true))),
  );
  const refs = await referencedTrees(resolved);
  const rendered = await Promise.all(
    resolved.map((one, i) => {
      const { name, namespace, project } = renderTarget;
      const key = (): string => {
        const parts = [env.sources.keyOf(one.source), one.source, name, namespace, project.metadata.name];
        return JSON.stringify([parts, resolved.map(({ revision }) => revision)]);
      };
      const again = Boolean(options.hard || options.fresh);
      return env.failures.attempt(key, again, () => render(env, renderTarget, one, refs, options)).catch(failedAt(i));
    }),
  );
  return {
    manifests: rendered.flatMap((one) => one?.manifests ?? []),
    revisions: resolved.map(({ revision }) => revision),
    types: rendered.map((one) => one?.type ?? ''),
    rendered,
  };
}

const requestedOf = (source: ApplicationSource, i: number, { revisions }: DesiredStateOptions): string =>
  revisions?.[i] || (source.targetRevision ?? '');

async function resolveSource(
  { sources: reader, access, signatures }: SourceEnv,
  { project }: RenderTarget,
  source: ApplicationSource,
  i: number,
  options: DesiredStateOptions,
): Promise<ResolvedSource> {
  const { name } = project.metadata;
  const networks = allowedNetworksOf(project);
  const credentialsOf = (url: string) => withNetworks(access.credentialsFor(url, name), networks);
  const credentials = credentialsOf(source.repoURL);
  const ask: SourceAsk = {
    credentials,
    project: name,
    passCredentials: source.helm?.passCredentials ?? false,
    submodules(url) {
      permitSource(project, url);
      const own = access.credentialsFor(url, name);
      return own || !sameHost(url, source.repoURL) ? withNetworks(own, networks) : credentials;
    },
    permitRedirect: (url) => permitSource(project, url),
  };
  const requested = requestedOf(source, i, options);
  const revision = await reader.resolve(source, requested, { ...ask, fresh: options.fresh ?? false });
  if (signatures)
    await verifySource({ sources: reader, signatures }, project, {
      source,
      requested: named(requested, source),
      revision,
      ask,
    });
  let tree: Promise<Tree> | undefined;
  return { source, revision, tree: () => (tree ??= reader.tree(source, revision, ask)) };
}

/** A sync names the commit; the tag of the source points to it, and may be what is signed. */
const named = (requested: string, { targetRevision = '' }: ApplicationSource): string =>
  /^[0-9a-f]{40,64}$/u.test(requested) ? targetRevision : requested;

/** The trees that `$name/…` refers to, if a source uses it. */
async function referencedTrees(resolved: readonly ResolvedSource[]): Promise<ReadonlyMap<string, Tree>> {
  const asked = resolved.some(({ source: { helm } }) =>
    [...(helm?.valueFiles ?? []), ...(helm?.fileParameters ?? []).map(({ path = '' }) => path)].some((file) =>
      file.startsWith('$'),
    ),
  );
  const refs = new Map<string, Tree>();
  for (const { source, tree } of asked ? resolved : []) if (source.ref) refs.set(source.ref, await tree());
  return refs;
}

/** Undefined for a source that is only referenced by others: it has no manifests. */
async function render(
  env: SourceEnv,
  renderTarget: RenderTarget,
  { source, revision, tree }: ResolvedSource,
  refs: ReadonlyMap<string, Tree>,
  { hard = false, fresh = false }: DesiredStateOptions,
): Promise<Rendered | undefined> {
  if (source.ref && !source.path && !source.chart) return undefined;
  const { project, ...seen } = renderTarget;
  const context: RenderContext = {
    ...seen,
    ...env.settings?.render,
    project: project.metadata.name,
    revision,
    refs,
    fetchRemote: remoteSources(env, project, { fresh, passCredentials: source.helm?.passCredentials ?? false }),
  };
  const repository = env.sources.keyOf(source);
  if (hard) env.manifests.forget(repository, source, context);
  return env.manifests.render(repository, source, await tree(), context);
}
