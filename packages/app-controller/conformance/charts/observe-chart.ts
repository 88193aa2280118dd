import type { Application } from '@fairlead/api';
import {
  elementAt,
  find,
  isJsonObject,
  type Json,
  type JsonObject,
  listAt,
  must,
  objectAt,
  own,
  textAt,
  toJson,
} from '@fairlead/apimachinery';
import type { Scenario } from '../harness/case.ts';
import { observeApplication } from '../harness/observe-application.ts';
import type { Observation } from '../harness/run-scenario.ts';
import type { ScenarioRun } from '../harness/scenario-run.ts';
import type { ChartScenario, ChartStep, LiveAfter } from './chart-case.ts';
import { keyOf, objectsIn, removeObjectsExcept } from './cluster-objects.ts';

/** The recording of a chart. */
export function chartObservation(scenario: Scenario): Observation {
  const { recorded } = scenario as ChartScenario;
  let existing: ReadonlySet<string> | undefined;
  return {
    async before(run) {
      existing = new Set((await objectsIn(run.target)).map(keyOf));
    },
    after: (run, index) => observeChart(run, elementAt(recorded.steps, index), must(existing, 'the objects before')),
    async cleanUp({ target }) {
      if (existing) await removeObjectsExcept(target, existing);
    },
  };
}

const withOperation = new Set(['sync', 'syncPrune', 'heal', 'terminate']);

/** The result of a step in the form of the recording. */
async function observeChart(run: ScenarioRun, step: ChartStep, before: ReadonlySet<string>): Promise<JsonObject> {
  if (step.step === 'delete') {
    const application = await run.application();
    const own = application && keyOf({ group: 'argoproj.io', kind: 'Application', ...application.metadata });
    const remaining = (await objectsIn(run.target)).filter((one) => !before.has(keyOf(one)) && keyOf(one) !== own);
    return run.masked({ gone: application === undefined, remaining: toJson(remaining) });
  }
  const result = run.masked(resultOf(await run.application(), step));
  if (!step.liveAfter) return result;
  const values = await Promise.all(step.liveAfter.map((one) => valuesOf(run, one)));
  // Times in live objects were recorded unchanged.
  return { ...result, ...run.named({ liveAfter: values }) };
}

function resultOf(application: Application | undefined, { step }: ChartStep): JsonObject {
  const { sync, health, conditions, resources, operationState, sourceType } = observeApplication(application);
  const summary = toJson(application?.status?.summary ?? {});
  return {
    ...present({ sync, health, sourceType }),
    conditions: conditions ?? [],
    resources: resources ?? [],
    ...(step === 'heal' || !withOperation.has(step) ? {} : present({ summary })),
    ...(withOperation.has(step) && isJsonObject(operationState) ? { operationState: operationOf(operationState) } : {}),
  };
}

/** The recording, in the form in which the other suite observes Applications. */
export function recordedResult(result: JsonObject): JsonObject {
  const { sync, revision, health, healthMessage, diff: _, ...rest } = result;
  return {
    ...rest,
    sync: present({ status: sync, revision }),
    health: present({ status: health, message: healthMessage }),
  };
}

function operationOf({ phase, message, syncResult }: JsonObject): JsonObject {
  const managedNamespaceMetadata = objectAt(syncResult, 'managedNamespaceMetadata');
  const resources = listAt(syncResult, 'resources').map((result): Json => {
    if (!isJsonObject(result)) return result;
    const { images: _, hookPhase, ...plain } = result;
    return plain['hookType'] && hookPhase !== undefined ? { ...plain, hookPhase } : plain;
  });
  return {
    ...present({ phase, message, revision: textAt(syncResult, 'revision') }),
    ...(resources.length > 0 ? { syncResult: { ...present({ managedNamespaceMetadata }), resources } } : {}),
  };
}

/** Non-empty fields. */
const present = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, Json][] =>
      value === undefined || value === '' || (isJsonObject(value) && Object.keys(value).length === 0)
        ? []
        : [[name, value]],
    ),
  );

/** Longer values were not recorded. */
const longest = 400;

async function valuesOf(run: ScenarioRun, { target, values }: LiveAfter): Promise<JsonObject> {
  const type = (await run.target.kinds()).find((one) => one.group === (target.group ?? '') && one.kind === target.kind);
  const key = {
    ...(target.namespace ? { namespace: run.filled(target.namespace) } : {}),
    name: run.filled(target.name),
  };
  const live = type && (await find(run.target.reader.get(type, key)));
  const found = Object.keys(values ?? {}).flatMap((pointer): [string, Json][] => {
    const value = valueAt(toJson(live), pointer);
    return value === undefined ? [] : [[pointer, JSON.stringify(value).length > longest ? '$LONG' : value]];
  });
  return {
    target: toJson(target),
    exists: live !== undefined,
    ...(values && live ? { values: Object.fromEntries(found) } : {}),
  };
}

function valueAt(value: Json, pointer: string): Json | undefined {
  let at: Json | undefined = value;
  for (const step of pointer
    .split('/')
    .slice(1)
    .map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (Array.isArray(at)) at = at[Number(step)];
    else at = isJsonObject(at) ? own(at, step) : undefined;
  }
  return at;
}
