import type { Application } from '@fairlead/api';
import { closest, elementAt, find, type KubeObject, type ResourceType } from '@fairlead/apimachinery';
import {
  type DiscoveredType,
  groupOf,
  type Kinds,
  ownerOf,
  parseTrackingId,
  trackingAnnotation,
} from '@fairlead/engine';
import { type HttpClient, listAll } from '@fairlead/kube';
import { onCluster } from '../applications/cluster/on-cluster.ts';
import { discoverKinds, readObject } from '../applications/cluster/owner-tree.ts';
import { lookUp, nameOf } from '../applications/selection/find-application.ts';
import {
  healthWord,
  objectText,
  revisionText,
  sourcesOf,
  sourceText,
  stateText,
  syncWord,
  whyText,
} from '../applications/tables/status-text.ts';
import { type Branch, branchLines } from '../applications/tables/tree-lines.ts';
import { CliError } from '../cli-error.ts';
import { exitCodes, type Handler } from '../command-line/command.ts';
import type { trace } from '../command-line/specs/get.ts';
import { suggest } from '../did-you-mean.ts';
import { controlPlaneNamespace } from '../install.ts';
import type { Style } from '../terminal/style.ts';

/** `fairlead trace KIND/NAME` */
export const run: Handler<typeof trace> = async (call) => {
  const { flags, args, terminal } = call;
  const [kind = '', name = ''] = elementAt(args, 0).split('/');
  if (kind === '' || name === '')
    throw new CliError(`invalid argument ${args[0]}: use KIND/NAME, such as pod/web-5d8c7b-x2x9k`);
  return onCluster(call, async (client) => {
    const { kinds, types } = await discoverKinds(client);
    const object = await findObject(client, typeNamed(types, kind), name, flags.namespace);
    const chain = await owners(client, kinds, object);
    const found = await applicationOf(client, chain);
    const lines = [
      ...(found ? applicationLines(found.application, terminal.style) : ['not managed by an Application']),
      ...chain.toReversed().map((one) => objectText({ kind: one.kind, ...one.metadata })),
    ];
    terminal.write(`${nested(lines).join('\n')}\n`);
    return exitCodes.ok;
  });
};

/** Each line one level below the previous one. */
function nested([first = '', ...rest]: readonly string[]): string[] {
  const branch = (lines: readonly string[]): Branch => ({
    text: lines[0] ?? '',
    parts: lines.length > 1 ? [branch(lines.slice(1))] : [],
  });
  return [first, ...(rest.length > 0 ? branchLines([branch(rest)]) : [])];
}

/** By kind, plural, short name or `plural.group`, like kubectl. */
function typeNamed(types: readonly DiscoveredType[], text: string): ResourceType {
  const [word = '', ...group] = text.toLowerCase().split('.');
  const groupName = group.join('.');
  const short: Readonly<Record<string, string>> = {
    po: 'pods',
    deploy: 'deployments',
    svc: 'services',
    cm: 'configmaps',
    rs: 'replicasets',
    sts: 'statefulsets',
    ds: 'daemonsets',
    ing: 'ingresses',
    ns: 'namespaces',
  };
  const name = short[word] ?? word;
  const found = types.find(
    (type) => [type.plural, type.kind.toLowerCase()].includes(name) && (groupName === '' || type.group === groupName),
  );
  if (found) return found;
  const near = closest(
    name,
    types.map(({ plural }) => plural),
  );
  throw new CliError(`unknown kind ${text}${suggest(near)}`);
}

async function findObject(
  client: HttpClient,
  type: ResourceType,
  name: string,
  namespace: string | undefined,
): Promise<KubeObject> {
  if (!type.namespaced || namespace !== undefined) {
    const object = await find(
      client.get(type, type.namespaced && namespace !== undefined ? { namespace, name } : { name }),
    );
    if (!object)
      throw new CliError(
        `${type.kind} ${name} not found${namespace && type.namespaced ? ` in namespace ${namespace}` : ''}`,
      );
    return object;
  }
  const { items } = await listAll(client, type);
  const found = items.filter(({ metadata }) => metadata.name === name);
  const [first] = found;
  if (first && found.length === 1) return first;
  if (first)
    throw new CliError(
      `${type.kind} ${name} is in namespaces ${found.map(({ metadata }) => metadata.namespace).join(', ')}: select one with -n`,
    );
  const near =
    closest(
      name,
      items.map(({ metadata }) => metadata.name),
    ) ?? items.find(({ metadata }) => metadata.name.includes(name))?.metadata.name;
  throw new CliError(`${type.kind} ${name} not found in any namespace${suggest(near)}`);
}

/** The object and its chain of owners; it ends at an owner that does not exist. */
async function owners(client: HttpClient, kinds: Kinds, object: KubeObject): Promise<KubeObject[]> {
  const chain = [object];
  for (let at = object; chain.length < 20; ) {
    const references = at.metadata.ownerReferences ?? [];
    const owner = references.find(({ controller }) => controller) ?? references[0];
    if (!owner) return chain;
    const group = groupOf(owner.apiVersion);
    const above = await readObject(client, kinds, {
      group,
      kind: owner.kind,
      namespace: at.metadata.namespace ?? '',
      name: owner.name,
    });
    if (!above || above.metadata.uid !== owner.uid || chain.includes(above)) return chain;
    chain.push(above);
    at = above;
  }
  return chain;
}

async function applicationOf(
  client: HttpClient,
  chain: readonly KubeObject[],
): Promise<{ application: Application } | undefined> {
  for (const object of chain) {
    const app = ownerOf(object) ?? parseTrackingId(object.metadata.annotations?.[trackingAnnotation] ?? '')?.app;
    if (app === undefined) continue;
    const [before, after] = app.split('_');
    const key =
      after === undefined ? { namespace: controlPlaneNamespace, name: before! } : { namespace: before!, name: after };
    const application = await lookUp(client, key);
    if (application) return { application };
  }
  return undefined;
}

function applicationLines(application: Application, style: Style): string[] {
  const states = [syncWord(application), healthWord(application)].map((word) => stateText(word, style)).join('  ');
  const why = whyText(application);
  const revision = revisionText(application);
  const source = sourcesOf(application).map(sourceText).join(', ');
  return [
    `${source}${revision ? `  revision ${revision}` : ''}`,
    `Application ${nameOf(application)}  ${states}${why ? `  ${style.faint(why)}` : ''}`,
  ];
}
