import {
  isKubeObject,
  isObject,
  type Json,
  type JsonObject,
  type KubeObject,
  listAt,
  messageOf,
  textAt,
} from '@fairlead/apimachinery';
import { isResourcePermitted } from '@fairlead/app-controller';
import { type ComparedStates, groupOf, idKey, maskSecrets, resourceIdOf } from '@fairlead/engine';
import { limits } from '@fairlead/kube';
import { type LiveApplication, withLive } from '../../live/application-state.ts';
import { managedIds } from '../../live/managed-resources.ts';
import type { Calls } from '../../rpc/call.ts';
import { rpcErrorOf } from '../../rpc/kube-error.ts';
import { invalidArgument, permissionDenied, RpcError } from '../../rpc/rpc-error.ts';
import type { Server } from '../../server.ts';
import { unknown } from './requests.ts';
import { actingLive, findCompared } from './resources.ts';

interface Pair {
  /** How the client names it. */
  readonly item: JsonObject;
  readonly live?: KubeObject | undefined;
  readonly target?: KubeObject | undefined;
}

/** Compares objects that a client sends through a dry run of the API server of their cluster. */
export const serverSideDiffCalls = (server: Server): Calls => ({
  'Application.ServerSideDiff': async (context, request) => {
    const found = await findCompared(server, context, request, 'appName');
    return withLive(server, found, { signal: context.signal, purpose: 'managed' }, async (live) => {
      if (!live) throw unknown('error getting destination cluster');
      actingLive(live);
      const items: object[] = [];
      let modified = false;
      for (const pair of await pairsOf(server, live, request)) {
        const item = await compared(live, pair);
        modified ||= item.modified;
        items.push(item);
      }
      return { items, modified };
    });
  },
});

async function pairsOf(server: Server, live: LiveApplication, request: JsonObject): Promise<Pair[]> {
  const [resources, manifests] = [listAt(request, 'liveResources'), listAt(request, 'targetManifests')];
  if (Math.max(resources.length, manifests.length) > limits.apiDiffObjects) {
    throw invalidArgument(`more than ${limits.apiDiffObjects} objects`);
  }
  const known = await managedIds(server, live);
  const lives = resources.map((item) => liveOf(live, isObject(item) ? item : {}, known));
  const targets = manifests.map((text, i) => targetOf(text, i));
  for (const target of targets) if (target) requirePermitted(live, target);
  return Array.from({ length: Math.max(lives.length, targets.length) }, (_, i) => {
    const [item, object, target] = [resources[i], lives[i], targets[i]];
    const named = isObject(item) ? item : target ? { ...resourceIdOf(target) } : {};
    return { item: named, live: object, target };
  });
}

/** Only objects of the Application may be compared: a dry run says what is live. */
function liveOf(live: LiveApplication, item: JsonObject, known: ReadonlySet<string>): KubeObject | undefined {
  const state = textAt(item, 'liveState');
  if (state === '' || state === 'null') return undefined;
  const [group, kind, namespace, name] = ['group', 'kind', 'namespace', 'name'].map((field) => textAt(item, field));
  const object = parse(state, `error unmarshaling live state for ${kind}/${name}`);
  const checks = [
    ['name', name, object.metadata.name],
    ['namespace', namespace, object.metadata.namespace ?? ''],
    ['group', group, groupOf(object.apiVersion)],
    ['kind', kind, object.kind],
  ] as const;
  for (const [what, expected, got] of checks) {
    if (expected === got) continue;
    throw invalidArgument(
      `${what} mismatch: expected ${expected}, got ${got} for live resource ${group}/${kind}/${name}`,
    );
  }
  if (!known.has(idKey(resourceIdOf(object)))) {
    const application = live.application.metadata.name;
    throw permissionDenied(`${group}/${kind} ${name} not found as part of application ${application}`);
  }
  return object;
}

/** A dry run says whether an object exists and what it contains: the project must permit the object. */
function requirePermitted({ project, lease, application }: LiveApplication, target: KubeObject): void {
  const id = resourceIdOf(target);
  const namespace = target.metadata.namespace ?? application.spec.destination.namespace ?? '';
  if (isResourcePermitted(project, lease.cluster, { ...id, namespace })) return;
  throw permissionDenied(`${id.group}/${id.kind} ${id.name} is not permitted in project ${project.metadata.name}`);
}

const targetOf = (text: Json, i: number): KubeObject | undefined =>
  typeof text !== 'string' || text === '' || text === 'null'
    ? undefined
    : parse(text, `error unmarshaling target manifest ${i}`);

function parse(text: string, failed: string): KubeObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidArgument(`${failed}: ${messageOf(error)}`);
  }
  if (isKubeObject(value)) return value;
  throw invalidArgument(`${failed}: it is not an object of Kubernetes`);
}

async function compared(
  { application, project, lease }: LiveApplication,
  { item, target, live }: Pair,
): Promise<{ readonly modified: boolean }> {
  let states: ComparedStates;
  try {
    const { cluster } = lease;
    const actor = cluster.evaluator.actorFor(application, project, cluster);
    states = await cluster.evaluator.states(application, target, live, { serverSide: true, actor });
  } catch (error) {
    throw new RpcError(rpcErrorOf(error).code, `error performing state diffs: ${messageOf(error)}`);
  }
  const { modified, normalizedLive, predictedLive } = states;
  const annotations = lease.installation.maskedAnnotations;
  const [targetState, liveState] = maskSecrets([predictedLive, normalizedLive], { annotations }).map((object) =>
    JSON.stringify(object ?? null),
  );
  const { group = '', kind = '', namespace = '', name = '', hook = false, resourceVersion = '' } = item;
  return Object.assign({ group, kind, namespace, name, hook, resourceVersion }, { targetState, liveState, modified });
}
