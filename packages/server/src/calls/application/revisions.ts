import type { Application, ApplicationSource } from '@fairlead/api';
import { formatTime, isObject, type JsonObject, listAt, messageOf, textAt } from '@fairlead/apimachinery';
import { sourcesOf } from '@fairlead/app-controller';
import { readYaml } from '@fairlead/render/go-yaml';
import { SourceError } from '@fairlead/source';
import type { Calls } from '../../rpc/call.ts';
import { RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import type { ApplicationSources } from '../../sources/application-sources.ts';
import { applicationAccess, refOf, unknown } from './requests.ts';

/** What revisions are: commits, charts and artifacts. */
export const revisionCalls = (server: Server): Calls => ({
  'Application.RevisionMetadata': async (context, request) => {
    const { application, project } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
    const source = sourceAt(application, request);
    const revision = textAt(request, 'revision');
    if (!/^[0-9a-f]{40}$/u.test(revision)) throw unknown(`revision ${revision} must be resolved`);
    const { author, date, message, tags } = await read(server, (sources) => sources.commit(source, revision, project));
    return { author, date: formatTime(date), tags, message };
  },

  'Application.RevisionChartDetails': async (context, request) => {
    const { application, project } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
    const source = sourceAt(application, request);
    if (!source.chart) throw unknown(`no chart found for application: ${textAt(request, 'name')}`);
    const revision = textAt(request, 'revision');
    const text = await read(server, (sources) => sources.file(source, revision, project, 'Chart.yaml'));
    const chart = readChart(text ?? '');
    return {
      description: textAt(chart, 'description'),
      home: textAt(chart, 'home'),
      maintainers: listAt(chart, 'maintainers').map((one) => `${textAt(one, 'name')} <${textAt(one, 'email')}>`.trim()),
    };
  },

  'Application.GetOCIMetadata': async (context, request) => {
    const { application, project } = await applicationAccess(server).find(context.caller, 'get', refOf(request));
    const source = sourceAt(application, request);
    const revision = textAt(request, 'revision');
    const annotations = await read(server, (sources) => sources.annotations(source, revision, project));
    const named = (name: string): string => annotations[`org.opencontainers.image.${name}`] ?? '';
    return {
      createdAt: named('created'),
      authors: named('authors'),
      imageUrl: named('url'),
      docsUrl: named('documentation'),
      sourceUrl: named('source'),
      version: named('version'),
      description: named('description'),
    };
  },
});

/** The repository decides whether it can be read: a failure is not one of this server. */
async function read<T>({ options }: Server, work: (sources: ApplicationSources) => Promise<T>): Promise<T> {
  if (!options.sources) throw new RpcError('Unavailable', 'this server does not read sources');
  try {
    return await work(options.sources);
  } catch (error) {
    if (error instanceof SourceError) throw unknown(error.message);
    throw error;
  }
}

function readChart(text: string): JsonObject {
  try {
    const chart: unknown = JSON.parse(JSON.stringify(readYaml(text) ?? {}));
    return isObject(chart) ? (chart as JsonObject) : {};
  } catch (error) {
    throw unknown(`error reading chart: ${messageOf(error)}`);
  }
}

/** The source that a request is about: the first, or that at an index, now or in an entry of the history. */
function sourceAt(application: Application, request: JsonObject): ApplicationSource {
  const failed = 'error getting app source by source index and version ID';
  const version = request['versionId'];
  const sources =
    typeof version === 'number' ? historicSources(application, version, failed) : sourcesOf(application.spec);
  const index = typeof request['sourceIndex'] === 'number' ? request['sourceIndex'] : 0;
  const source = index < 0 ? undefined : sources[index];
  if (source) return source;
  const many = sources.length === 1 ? 'is only 1 source' : `are only ${sources.length} sources`;
  throw unknown(`${failed}: source index ${index} not found because there ${many}`);
}

function historicSources({ status }: Application, version: number, failed: string): readonly ApplicationSource[] {
  const history = status?.history ?? [];
  const what = `${failed}: error getting source by version ID`;
  if (history.length === 0) throw unknown(`${what}: version ID ${version} not found because the app has no history`);
  const entry = history.find(({ id }) => id === version);
  if (!entry) throw unknown(`${what}: revision history not found for version ID ${version}`);
  return sourcesOf({
    ...(entry.source ? { source: entry.source } : {}),
    ...(entry.sources ? { sources: entry.sources } : {}),
  });
}
