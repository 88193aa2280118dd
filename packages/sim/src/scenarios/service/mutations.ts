import { applicationKind } from '@fairlead/api';
import type { ApiClient } from '@fairlead/kube';
import type { Scenario } from '../../scenario.ts';
import { serviceBurstWith } from './service-burst.ts';
import { serviceCrashPointsWith } from './service-crash-points.ts';
import type { Mistake } from './service-simulation.ts';

/** A deliberate bug, the invariant that it violates, and the schedules that find it. */
export interface ServiceMutation {
  readonly invariant: string;
  readonly mistake: string;
  readonly scenario: Scenario;
  /** The message of the violated invariant. */
  readonly says: RegExp;
}

const inBurst = (mistake: Mistake): Scenario => serviceBurstWith(mistake);
const atCrashPoints = (mistake: Mistake): Scenario => serviceCrashPointsWith(mistake);

/** Statements with this prefix are skipped. */
const without =
  (...startTimes: readonly RegExp[]): NonNullable<Mistake['misquote']> =>
  (text) =>
    startTimes.some((beginning) => beginning.test(text.replace(/\s+/gu, ' ').trim())) ? undefined : text;

const leavesApplications = (client: ApiClient): ApiClient => ({
  ...client,
  delete: async (type, key, options) =>
    type.kind === applicationKind.type.kind
      ? { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' }
      : client.delete(type, key, options),
});

/** Bugs that violate each invariant of the schedules of the service. */
export const serviceMutations: readonly ServiceMutation[] = [
  {
    invariant: 'a row and its Operation are written together or not at all',
    mistake: 'statements that are committed separately',
    scenario: atCrashPoints({ misquote: without(/^(begin|commit|rollback)/iu) }),
    says: /is not there, and its row is|has another spec than its row|has no mapping|has no row/u,
  },
  {
    invariant: 'work is due until it has been done',
    mistake: 'an Operation that is completed when it is claimed',
    scenario: atCrashPoints({
      misquote: (text) => text.replace("state = 'In_Progress'", "state = 'In_Progress', reached = generation"),
    }),
    says: /is not there, and its row is|has another spec than its row|the sync run says/u,
  },
  {
    invariant: 'a request that arrives while an Operation is executed is executed too',
    mistake: 'an Operation that completes the newest generation, not the one it claimed',
    scenario: inBurst({
      misquote: (text) => text.replace('SET reached = $1,', 'SET reached = GREATEST($1, generation),'),
    }),
    says: /has another spec than its row|has no row|is not there, and its row is/u,
  },
  {
    invariant: 'a lost notification is recovered, on the way down',
    mistake: 'an agent that does not poll',
    scenario: inBurst({ misquote: without(/^select "operation_id", "operation_owner_user_id" from "operation"/iu) }),
    says: /is not done|is not there, and its row is/u,
  },
  {
    invariant: 'a lost notification is recovered, on the way up',
    mistake: 'a backend that does not poll for statuses',
    scenario: inBurst({ misquote: without(/^select "applicationstate_application_id" as "id"/iu) }),
    says: /has another status than its Application/u,
  },
  {
    invariant: 'no row remains of a resource that was deleted while the backend was down',
    mistake: 'a backend that does not check the rows when it starts',
    scenario: inBurst({ misquote: without(/^select "deploymenttoapplicationmapping_uid_id" as "uid"/iu) }),
    says: /has no GitOpsDeployment/u,
  },
  {
    invariant: 'no Application remains without a row',
    mistake: 'an agent that assumes that an Application is gone and does not delete it',
    scenario: inBurst({ client: leavesApplications }),
    says: /has no row|its Application is still there/u,
  },
  {
    invariant: 'the finalizer stays until everything is deleted',
    mistake: 'a backend that does not check whether the Application is gone',
    scenario: inBurst({ misquote: without(/^select \* from "operation" where "operation_id" = /iu) }),
    says: /is gone, and its Application is still there/u,
  },
  {
    invariant: 'no sync is started twice',
    mistake: 'a sync whose start is not recorded',
    scenario: inBurst({ misquote: without(/^UPDATE syncoperation SET phase/u) }),
    says: /started twice/u,
  },
];
