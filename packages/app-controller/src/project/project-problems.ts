import type { AppProject } from '@fairlead/api';
import { isKeyId } from '@fairlead/source';
import { globProblem } from '../glob.ts';
import { namespacePatternProblem } from './application-namespaces.ts';
import { syncWindowProblems } from './sync-window.ts';

type Role = NonNullable<AppProject['spec']['roles']>[number];

/** What the API of Argo CD would reject: each with its field and the remedy. Invalid rules permit nothing. */
export function projectProblems({ metadata, spec }: AppProject): string[] {
  const destinations = (spec.destinations ?? []).map(({ server, name, namespace }) => `${server || name}/${namespace}`);
  return [
    ...(spec.destinations ?? []).flatMap((destination, i) =>
      (['name', 'server', 'namespace'] as const)
        .filter((field) => destination[field] === '!*')
        .map((field) => `spec.destinations[${i}].${field} '!*' denies everything`),
    ),
    ...unreadable(spec),
    ...keyProblems(spec),
    ...repeated('spec.destinations', destinations),
    ...repeated('spec.sourceNamespaces', spec.sourceNamespaces ?? []),
    ...(spec.sourceRepos?.includes('!*') ? [`spec.sourceRepos '!*' denies everything`] : []),
    ...repeated('spec.sourceRepos', spec.sourceRepos ?? []),
    ...repeated(
      'spec.roles',
      (spec.roles ?? []).map(({ name }) => name),
    ),
    ...(spec.roles ?? []).flatMap((role, i) =>
      roleProblems(metadata.name, role).map((text) => `spec.roles[${i}]${text}`),
    ),
    ...syncWindowProblems(spec.syncWindows ?? []),
  ];
}

type Spec = AppProject['spec'];

/** Invalid patterns: those that permit, permit nothing; those that deny, deny everything. */
function unreadable(spec: Spec): string[] {
  const glob = (field: string, pattern = ''): string[] => {
    const problem = globProblem(pattern.replace(/^!/u, ''));
    return problem === undefined ? [] : [`${field}: ${problem}`];
  };
  const kinds = (field: keyof Spec & `${string}list`): string[] =>
    (spec[field] ?? []).flatMap(({ group, kind }, i) => [
      ...glob(`spec.${field}[${i}].group`, group),
      ...glob(`spec.${field}[${i}].kind`, kind),
    ]);
  return [
    ...(spec.sourceRepos ?? []).flatMap((pattern, i) => glob(`spec.sourceRepos[${i}]`, pattern)),
    ...(spec.destinations ?? []).flatMap((destination, i) =>
      (['name', 'server', 'namespace'] as const).flatMap((field) =>
        glob(`spec.destinations[${i}].${field}`, destination[field]),
      ),
    ),
    ...(spec.sourceNamespaces ?? []).flatMap((pattern, i) => {
      const problem = namespacePatternProblem(pattern);
      return problem === undefined ? [] : [`spec.sourceNamespaces[${i}]: ${problem}`];
    }),
    ...kinds('clusterResourceWhitelist'),
    ...kinds('clusterResourceBlacklist'),
    ...kinds('namespaceResourceWhitelist'),
    ...kinds('namespaceResourceBlacklist'),
  ];
}

/** Invalid key ids: no signature could match them. */
function keyProblems({ signatureKeys = [], sourceIntegrity }: Spec): string[] {
  const problem = (field: string, id: string): string[] =>
    isKeyId(id) ? [] : [`${field} '${id}' names no key: write a fingerprint, or at least its last 16 digits`];
  return [
    ...signatureKeys.flatMap(({ keyID }, i) => problem(`spec.signatureKeys[${i}].keyID`, keyID)),
    ...(sourceIntegrity?.git?.policies ?? []).flatMap(({ gpg }, i) =>
      gpg.keys.flatMap((id, j) => problem(`spec.sourceIntegrity.git.policies[${i}].gpg.keys[${j}]`, id)),
    ),
  ];
}

function repeated(field: string, texts: readonly string[]): string[] {
  const twice = texts.filter((text, i) => texts.indexOf(text) !== i);
  return [...new Set(twice)].map((text) => `${field}: '${text}' is listed twice`);
}

function roleProblems(project: string, { name, policies = [], groups = [] }: Role): string[] {
  const isName = /^[a-zA-Z0-9](?:[-_a-zA-Z0-9]*[a-zA-Z0-9])?$/u.test(name);
  return [
    ...(isName ? [] : [`.name '${name}': use letters, digits, - and _, beginning and ending with a letter or digit`]),
    ...repeated('.policies', policies),
    ...policies.flatMap((policy) => {
      const problem = policyProblem(project, name, policy);
      return problem ? [`.policies '${policy}': ${problem}`] : [];
    }),
    ...repeated('.groups', groups),
    ...groups.filter((group) => !isGroup(group)).map((group) => `.groups '${group}' is not a group name`),
  ];
}

const resources = ['applications', 'applicationsets', 'repositories', 'clusters', 'exec', 'logs'];
const actions = /^(?:get|create|update|delete|sync|override|\*|(?:action|update|delete)\/.*)$/u;

function policyProblem(project: string, role: string, policy: string): string | undefined {
  const [p, subject = '', resource = '', action = '', object = '', effect = '', ...more] = policy
    .split(',')
    .map((part) => part.trim());
  if (p !== 'p' || effect === '' || more.length > 0) return 'write p, subject, resource, action, object, effect';
  if (subject !== `proj:${project}:${role}`) return `its subject must be proj:${project}:${role}`;
  if (!resources.includes(resource)) return `its resource must be one of ${resources.join(', ')}`;
  if (!actions.test(action)) return `'${action}' is not an action`;
  if (!object.startsWith(`${project}/`) || object.length <= project.length + 1)
    return `its object must be of the form ${project}/*`;
  return effect === 'allow' || effect === 'deny' ? undefined : 'its effect must be allow or deny';
}

function isGroup(group: string): boolean {
  const quoted = /^"(.+)"$/u.exec(group)?.[1];
  const name = quoted ?? group;
  return (
    name.trim() !== '' &&
    name === name.trim() &&
    !/["\n\r\t]/u.test(name) &&
    (quoted !== undefined || !name.includes(','))
  );
}
