import { type Static, schema as s } from '@fairlead/api';

const { anyObject, boolean, int32, list, object, oneOf, required, string, time } = s;

const resourceFields = {
  group: required(string('Empty for the core group.')),
  kind: required(string()),
  namespace: required(string('Empty for cluster-scoped objects.')),
  name: required(string()),
};

export const resourceRef = object(resourceFields, 'An object of a cluster.');

export const explanationReason = object(
  {
    subject: required(string('What the reason is about, for example `Why it is out of sync`.')),
    why: required(string('One sentence.')),
    depth: required(int32('0, or how many reasons above it are caused by it.')),
    actions: required(list(string(), 'What to do about it; with the last reason of a subject.')),
  },
  'A reason for the state of an Application.',
);

export const explanation = object(
  {
    summary: required(string('One sentence.')),
    reasons: required(list(explanationReason)),
  },
  'Why an Application is as it is.',
);

export const hopIds = ['commit', 'render', 'tenant', 'operation', 'principal', 'agent', 'cluster', 'status'] as const;
export const hopStates = ['ok', 'working', 'waiting', 'broken', 'unknown', 'absent'] as const;

export const flowHop = object(
  {
    id: required(oneOf(hopIds)),
    title: required(string()),
    direction: required(oneOf(['down', 'up'] as const, 'Whether desired state or status passes.')),
    state: required(
      oneOf(
        hopStates,
        '`waiting`: a hop before it has not delivered. `absent`: the Application does not use it. `unknown`: nothing is known of it.',
      ),
    ),
    revision: string('What has passed it last.'),
    since: time('Since when it is in this state, if that is known.'),
    ageSeconds: int32('Seconds since `since`.'),
    queue: object({ depth: required(int32()), oldestSeconds: int32() }, 'What waits in front of it.'),
    reason: string('Why it is not ok, in one sentence.'),
    action: string('What to do about it.'),
    resource: resourceRef,
  },
  'One step between the commit and the cluster, or back.',
);

export const flow = object(
  {
    hops: required(list(flowHop, 'Downward from the commit to the cluster, then upward.')),
    broken: oneOf(hopIds, 'The first hop that is broken.'),
    summary: required(string('One sentence.')),
  },
  'How far the desired state of an Application has come, and its status back.',
);

export const fieldDifference = object(
  {
    path: required(string('For example `spec.template.spec.containers[0].image`.')),
    live: string('As JSON; none if the field is not live. Values of Secrets are masked.'),
    target: string('As JSON; none if the source does not set it.'),
    owner: string('The field manager that owns the live value.'),
    ownedSince: time(),
    ignoredBy: string('The rule that ignores the difference.'),
  },
  'A field that is different in the live state and the target state.',
);

export const resourceDifference = object(
  {
    ...resourceFields,
    status: required(
      oneOf(
        ['Synced', 'OutOfSync', 'Missing', 'Extra', 'Unknown'] as const,
        '`Missing`: not live. `Extra`: not in the source. `Unknown`: the agent of the cluster does not permit reading it.',
      ),
    ),
    fields: required(list(fieldDifference)),
    truncated: boolean('There are more differences than are listed.'),
    live: anyObject('The live state.'),
    target: anyObject('The target state.'),
  },
  'An object of an Application, live and in the source.',
);

export const applicationDiff = object(
  {
    revision: required(string()),
    resources: required(list(resourceDifference, 'Those that differ first.')),
  },
  'How the live state of an Application differs from its source, by field.',
);

export const plannedTask = object(
  {
    ...resourceFields,
    action: required(oneOf(['create', 'update', 'prune', 'hook', 'unchanged'] as const)),
    hook: string('The phase of a hook.'),
    dryRun: object({ ok: required(boolean()), message: string() }, 'What a dry run of the cluster says.'),
  },
  'What a sync does to one object.',
);

export const syncPlan = object(
  {
    revision: required(string()),
    waves: required(
      list(object({ phase: required(string()), wave: required(int32()), tasks: required(list(plannedTask)) })),
    ),
    warnings: required(list(string(), 'Why the sync may not run, or not do all of it.')),
  },
  'What a sync would do, in order.',
);

export const previewRequest = object(
  { application: required(anyObject('An Application, as it would be created.')) },
  'An Application that does not exist yet.',
);

export const preview = object(
  {
    revisions: required(list(string(), 'The commit of each source, or the version of its chart.')),
    sourceTypes: required(list(string(), 'How each source is rendered; empty for one that others refer to.')),
    manifests: required(list(anyObject(), 'Values of Secrets are masked.')),
  },
  'What an Application would deploy.',
);

export interface PreviewRequest extends Static<typeof previewRequest> {}
export interface Preview extends Static<typeof preview> {}
export interface Explanation extends Static<typeof explanation> {}
export interface ExplanationReason extends Static<typeof explanationReason> {}
export interface FlowHop extends Static<typeof flowHop> {}
export interface Flow extends Static<typeof flow> {}
export interface FieldDifference extends Static<typeof fieldDifference> {}
export interface ResourceDifference extends Static<typeof resourceDifference> {}
export interface ApplicationDiff extends Static<typeof applicationDiff> {}
export interface PlannedTask extends Static<typeof plannedTask> {}
export interface SyncPlan extends Static<typeof syncPlan> {}
