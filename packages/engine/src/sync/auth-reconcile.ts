import {
  at,
  equalJson,
  type Json,
  type JsonObject,
  type KubeObject,
  listAt,
  objectAt,
  type PolicyRule,
  type Subject,
  textAt,
  uncoveredRules,
  unstructured,
} from '@fairlead/apimachinery';

/** Whether Argo CD runs `kubectl auth reconcile` for the object before it applies it. */
export const isRbac = ({ apiVersion, kind }: KubeObject): boolean =>
  apiVersion === 'rbac.authorization.k8s.io/v1' && /^(?:Cluster)?Role(?:Binding)?$/u.test(kind);

export interface AuthReconciliation {
  readonly operation: 'none' | 'create' | 'update' | 'recreate';
  /** The base of the apply: the live object with the permissions and subjects that it lacked. */
  readonly object: KubeObject;
  /** The output of kubectl after the name of the object. */
  readonly report: string;
}

/**
 * The effect of `kubectl auth reconcile` on an RBAC object. Permissions and subjects are added and none is removed; a binding to another
 * role is deleted and created, because `roleRef` cannot be changed. The apply afterwards determines the result.
 */
export function authReconcile(desired: KubeObject, live: KubeObject | undefined): AuthReconciliation {
  const isBinding = desired.kind.endsWith('Binding');
  if (!live) {
    const missing = isBinding ? subjectLines(subjectsOf(desired)) : ruleLines(rulesOf(desired));
    return { operation: 'create', object: desired, report: reportOf('create', missing) };
  }
  const isProtected = live.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'] === 'false';
  const caveat = isProtected ? ', but object opted out (rbac.authorization.kubernetes.io/autoupdate: false)' : '';
  if (isBinding && !isSameRole(desired, live)) {
    const report = reportOf('recreate', [], caveat);
    return isProtected
      ? { operation: 'none', object: live, report }
      : { operation: 'recreate', object: desired, report };
  }
  const { fields, missing } = isBinding ? addedSubjects(desired, live) : addedRules(desired, live);
  const metadata = { ...live.metadata, ...addedMetadata(desired, live) };
  const object = unstructured({ ...live, ...fields, metadata });
  if (equalJson(unstructured(object), unstructured(live)))
    return { operation: 'none', object: live, report: 'reconciled' };
  const report = reportOf('update', missing, caveat);
  return isProtected ? { operation: 'none', object: live, report } : { operation: 'update', object, report };
}

const reportOf = (operation: string, missing: readonly string[], caveat = ''): string =>
  [`reconciled. reconciliation required ${operation}${caveat}`, ...missing].join('\n');

interface Addition {
  readonly fields: JsonObject;
  readonly missing: readonly string[];
}

/** Names are compared literally: an absent `apiGroup` is another role than the default that the server filled in. */
const isSameRole = (a: KubeObject, b: KubeObject): boolean =>
  ['apiGroup', 'kind', 'name'].every((field) => textAt(a, 'roleRef', field) === textAt(b, 'roleRef', field));

function addedSubjects(desired: KubeObject, live: KubeObject): Addition {
  const known = new Set(subjectsOf(live).map(subjectText));
  const missing = subjectsOf(desired).filter((subject) => !known.has(subjectText(subject)));
  if (missing.length === 0) return { fields: {}, missing: [] };
  return { fields: { subjects: [...listAt(live, 'subjects'), ...missing] as Json[] }, missing: subjectLines(missing) };
}

function addedRules(desired: KubeObject, live: KubeObject): Addition {
  const missing = uncoveredRules(rulesOf(live), rulesOf(desired));
  const selectors = listAt(live, 'aggregationRule', 'clusterRoleSelectors');
  const unselected = listAt(desired, 'aggregationRule', 'clusterRoleSelectors').filter(
    (selector) => !selectors.some((known) => equalJson(known, selector)),
  );
  const fields = {
    ...(missing.length > 0 ? { rules: [...listAt(live, 'rules'), ...missing] } : {}),
    ...(unselected.length > 0
      ? {
          aggregationRule: {
            ...objectAt(live, 'aggregationRule'),
            clusterRoleSelectors: [...selectors, ...unselected],
          },
        }
      : {}),
  } as JsonObject;
  return { fields, missing: ruleLines(missing) };
}

/** Labels and annotations that are missing. Those with another value are left to the apply. */
function addedMetadata(desired: KubeObject, live: KubeObject): Partial<KubeObject['metadata']> {
  const added = (field: 'labels' | 'annotations') => {
    const [ours, theirs] = [desired.metadata[field] ?? {}, live.metadata[field] ?? {}];
    return Object.keys(ours).every((key) => key in theirs) ? {} : { [field]: { ...ours, ...theirs } };
  };
  return { ...added('labels'), ...added('annotations') };
}

const texts = (value: unknown, field: string): string[] => listAt(value, field).map(String);

const rulesOf = (role: KubeObject): PolicyRule[] =>
  listAt(role, 'rules').map((rule) => ({
    verbs: texts(rule, 'verbs'),
    ...listField(rule, 'apiGroups'),
    ...listField(rule, 'resources'),
    ...listField(rule, 'resourceNames'),
    ...listField(rule, 'nonResourceURLs'),
  }));

const listField = (rule: Json, field: string): Record<string, string[]> =>
  at(rule, field) ? { [field]: texts(rule, field) } : {};

const subjectsOf = (binding: KubeObject): Subject[] =>
  listAt(binding, 'subjects').map((subject) => {
    const [apiGroup, namespace] = [textAt(subject, 'apiGroup'), textAt(subject, 'namespace')];
    return {
      kind: textAt(subject, 'kind'),
      ...(apiGroup ? { apiGroup } : {}),
      name: textAt(subject, 'name'),
      ...(namespace ? { namespace } : {}),
    };
  });

/** The struct in the format of Go. */
const subjectText = ({ kind, apiGroup = '', name, namespace = '' }: Subject): string =>
  `{Kind:${kind} APIGroup:${apiGroup} Name:${name} Namespace:${namespace}}`;

function ruleText({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): string {
  const list = (values: readonly string[] = []): string => `[${values.join(' ')}]`;
  return `{Verbs:${list(verbs)} APIGroups:${list(apiGroups)} Resources:${list(resources)} ResourceNames:${list(resourceNames)} NonResourceURLs:${list(nonResourceURLs)}}`;
}

const lines = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`\t${title}:`, ...items.map((item) => `\t\t${item}`)];
const subjectLines = (subjects: readonly Subject[]): string[] =>
  lines('missing subjects added', subjects.map(subjectText));
const ruleLines = (rules: readonly PolicyRule[]): string[] => lines('missing rules added', rules.map(ruleText));
