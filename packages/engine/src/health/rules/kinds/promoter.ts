import {
  type Clause,
  compare,
  condition,
  degraded,
  field,
  healthy,
  not,
  present,
  progressing,
  type Rule,
  some,
  staleCondition,
} from '../rule.ts';
import type { Rules } from '../rule-table.ts';
import { beingDeleted, changeTransfer, promotionStrategy } from './promoter-health.ts';

/** Kinds with one display name; it is in lower case within a sentence, unless it is a proper name. */
const resource = (name: string, ...then: Rule): Rule => {
  const inside = name.startsWith('Argo CD') ? name : name.charAt(0).toLowerCase() + name.slice(1);
  return [
    beingDeleted(name),
    progressing(`Initializing ${inside}`, compare('count:status', '=', 0)),
    progressing(`Waiting for ${inside} spec update to be observed`, staleCondition('Ready')),
    degraded(
      `${name} reconciliation failed: {it.message}`,
      condition('Ready', 'False', { reason: 'ReconciliationError' }),
    ),
    degraded(`${name} reconciliation failed ({it.reason}): {it.message}`, condition('Ready', 'False')),
    progressing(`${name} is not ready yet`, not(condition('Ready', 'True'))),
    ...then,
  ];
};

interface Named {
  readonly starts: string;
  readonly fails: string;
  readonly unready?: string;
  readonly unclear: string;
}

/** Kinds whose messages use the kind for the object, and another name for the work. */
const named = ({ starts, fails, unready = fails, unclear }: Named, ...then: Rule): Rule => [
  beingDeleted(),
  progressing(`Initializing ${starts}`, not(present('status'))),
  progressing('Waiting for {kind} spec update to be observed', staleCondition('Ready')),
  degraded(`${fails} failed: {it.message}`, condition('Ready', 'False', { reason: 'ReconciliationError' })),
  degraded(`${unready} not ready ({it.reason}): {it.message}`, condition('Ready', 'False')),
  progressing(`${unclear} unknown ({it.reason}): {it.message}`, condition('Ready', 'Unknown')),
  progressing('{kind} Ready condition is missing', not(condition('Ready'))),
  ...then,
];

const provider = (name: string, starts: string): Rule =>
  named(
    { starts, fails: `${name} validation`, unready: name, unclear: `${name} readiness` },
    healthy(`${name} is ready`),
  );

const environments = (work: string, passed: string, whole = work): readonly Clause[] => [
  degraded(
    `${work} failed for branch(es): ${branches('failure')}`,
    some('status.environments', field('phase', 'failure')),
  ),
  progressing(
    `${work} pending for branch(es): ${branches('pending')}`,
    some('status.environments', field('phase', 'pending')),
  ),
  healthy(`${work} ${passed} for {count:status.environments[*]} environment(s)`, present('status.environments')),
  healthy(`${whole} reconciled`),
];
const branches = (phase: string): string => `{join(", "):status.environments[phase=${phase}].branch}`;

export const promoter: Rules = {
  'promoter.argoproj.io/ArgoCDCommitStatus': resource(
    'Argo CD commit status',
    degraded(
      'Argo CD commit status has no applications configured',
      compare('count:status.applicationsSelected[*]', '=', 0),
    ),
    healthy('Argo CD commit status is healthy and is tracking {count:status.applicationsSelected[*]} applications'),
  ),
  'promoter.argoproj.io/ChangeTransferPolicy': resource('Change transfer policy', changeTransfer),
  'promoter.argoproj.io/CommitStatus': resource(
    'Commit status',
    healthy(
      'Commit status for commit {status.sha} reports {status.phase}',
      present('status.sha'),
      present('status.phase'),
    ),
    healthy('Commit status is healthy'),
  ),
  'promoter.argoproj.io/PromotionStrategy': resource('Promotion strategy', promotionStrategy),
  'promoter.argoproj.io/PullRequest': resource(
    'Pull request',
    healthy('Pull request is {status.state} as PR {status.id}', present('status.id'), present('status.state')),
    healthy('Pull request is healthy'),
  ),
  'promoter.argoproj.io/ClusterScmProvider': provider('Cluster SCM provider', 'cluster SCM provider'),
  'promoter.argoproj.io/ScmProvider': provider('SCM provider', 'SCM provider'),
  'promoter.argoproj.io/GitRepository': provider('Git repository', 'Git repository'),
  'promoter.argoproj.io/GitCommitStatus': named(
    { starts: 'git commit validation', fails: 'Git commit validation', unclear: 'Git commit validation status' },
    ...environments('Git commit validation', 'passed'),
  ),
  'promoter.argoproj.io/TimedCommitStatus': named(
    { starts: 'timed commit gate', fails: 'Timed commit gate', unclear: 'Timed commit gate status' },
    ...environments('Timed commit gate', 'satisfied'),
  ),
  'promoter.argoproj.io/WebRequestCommitStatus': named(
    {
      starts: 'web request commit validation',
      fails: 'Web request commit validation',
      unclear: 'Web request commit validation status',
    },
    ...environments('Web request validation', 'passed', 'Web request commit validation'),
  ),
};
