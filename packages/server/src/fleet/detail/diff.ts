import { type JsonObject, type KubeObject, messageOf, toJson, unstructured } from '@fairlead/apimachinery';
import {
  type FieldChange,
  fieldOwner,
  fieldPath,
  idKey,
  isWithin,
  jsonChanges,
  maskSecrets,
  type Path,
} from '@fairlead/engine';
import { limits } from '@fairlead/kube';
import { applicationAccess } from '../../calls/application/requests.ts';
import { type LiveApplication, withLive } from '../../live/application-state.ts';
import { pairsOf, type StatePair } from '../../live/managed-resources.ts';
import type { CallContext } from '../../rpc/call.ts';
import type { Server } from '../../server.ts';
import type { ApplicationDiff, FieldDifference, ResourceDifference } from '../api/detail-shapes.ts';
import type { FleetRequest } from '../http/fleet-handler.ts';
import { findApplication } from './find-application.ts';

/** After so many comparisons, others get a turn. */
const turn = 20;

/** How the live state of an Application differs from its source, by field. Values of Secrets are masked. */
export async function readDiff(server: Server, context: CallContext, request: FleetRequest): Promise<ApplicationDiff> {
  const application = await findApplication(server, context, request);
  const project = applicationAccess(server).projectOf(application);
  const [all, states] = [request.query.isOn('all'), request.query.isOn('states')];
  return withLive(server, { application, project }, { signal: context.signal, purpose: 'managed' }, async (live) => {
    const pairs = live ? await pairsOf(server, live) : [];
    const resources: ResourceDifference[] = [];
    for (let start = 0; start < pairs.length && live; start += turn) {
      const some = pairs.slice(start, start + turn);
      resources.push(...(await Promise.all(some.map((pair) => compared(server, live, pair, states)))));
      await new Promise((resolve) => setImmediate(resolve));
    }
    return {
      revision: application.status?.sync?.revision ?? '',
      resources: resources.filter(({ status }) => all || status !== 'Synced').sort(byDifference),
    };
  });
}

const byDifference = (a: ResourceDifference, b: ResourceDifference): number =>
  Number(a.status === 'Synced') - Number(b.status === 'Synced') || (idKey(a) < idKey(b) ? -1 : 1);

async function compared(
  server: Server,
  live: LiveApplication,
  pair: StatePair,
  withStates: boolean,
): Promise<ResourceDifference> {
  const { application, project, lease } = live;
  const { evaluator } = lease.cluster;
  const actor = evaluator.actorFor(application, project, lease.cluster);
  const { id, target } = pair;
  if (pair.hidden) return { ...id, status: 'Unknown', fields: [] };
  let found: Compared;
  try {
    const ignored = target && pair.live ? await evaluator.withIgnored(application, target, pair.live) : undefined;
    found = { ...(await evaluator.states(application, target, pair.live, { actor })), ...(ignored ? { ignored } : {}) };
  } catch (error) {
    // The Application has a condition for it.
    server.log.debug('an object cannot be compared', {
      application: application.metadata.name,
      error: messageOf(error),
    });
    found = { modified: false };
  }
  const annotations = lease.installation.maskedAnnotations;
  const { normalizedLive, predictedLive, ignored } = found;
  // All states at once: a value has the same mask in each of them.
  const [shownTarget, shownLive, before, after, allBefore, allAfter] = maskSecrets(
    [target, pair.live, normalizedLive, predictedLive, ignored?.live, ignored?.predicted],
    { annotations },
  );
  const ownerOf = await owners(live, pair.live, before !== undefined && after !== undefined);
  const fields = [
    ...(before && after ? changes(before, after).map((change) => fieldOf(change, ownerOf)) : []),
    ...(ignored && allBefore && allAfter
      ? changes(allBefore, allAfter).flatMap((change) => {
          const rule = ruleFor(change, ignored.ignored);
          return rule === undefined ? [] : [{ ...fieldOf(change, ownerOf), ignoredBy: rule }];
        })
      : []),
  ];
  return {
    ...id,
    status: statusOf(pair, found.modified),
    fields: fields.slice(0, limits.fleetDiffFields),
    ...(fields.length > limits.fleetDiffFields ? { truncated: true } : {}),
    ...(withStates && shownLive ? { live: unstructured(shownLive) } : {}),
    ...(withStates && shownTarget ? { target: unstructured(shownTarget) } : {}),
  };
}

type States = Awaited<ReturnType<LiveApplication['lease']['cluster']['evaluator']['states']>>;
type WithIgnored = NonNullable<Awaited<ReturnType<LiveApplication['lease']['cluster']['evaluator']['withIgnored']>>>;
interface Compared extends States {
  readonly ignored?: WithIgnored;
}

const changes = (before: KubeObject, after: KubeObject): FieldChange[] => jsonChanges(toJson(before), toJson(after));

function statusOf({ target, live }: StatePair, modified: boolean): ResourceDifference['status'] {
  if (!target) return 'Extra';
  if (!live) return 'Missing';
  return modified ? 'OutOfSync' : 'Synced';
}

type OwnerOf = ReturnType<typeof fieldOwner>;

const nobody: OwnerOf = () => undefined;

async function owners({ lease }: LiveApplication, live: KubeObject | undefined, isNeeded: boolean): Promise<OwnerOf> {
  if (!live || !isNeeded) return nobody;
  const json: JsonObject = unstructured(live);
  return fieldOwner(json, await lease.cluster.evaluator.managedFields(live));
}

function fieldOf({ at, before, after }: FieldChange, ownerOf: OwnerOf): FieldDifference {
  const owner = before === undefined ? undefined : ownerOf(at.before);
  return {
    path: fieldPath(before === undefined ? at.after : at.before),
    ...(before === undefined ? {} : { live: JSON.stringify(before) }),
    ...(after === undefined ? {} : { target: JSON.stringify(after) }),
    ...(owner ? { owner: owner.manager, ...(owner.since ? { ownedSince: owner.since } : {}) } : {}),
  };
}

/** The first rule that ignores a field or something above it. */
function ruleFor({ at }: FieldChange, ignored: WithIgnored['ignored']): string | undefined {
  const covers = (path: Path): boolean => isWithin(at.before, path) || isWithin(at.after, path);
  return ignored.find(({ path }) => covers(path))?.rule;
}
