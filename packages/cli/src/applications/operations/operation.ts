import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { type Application, applicationKind, type Operation, type OperationState } from '@fairlead/api';
import { isConflict } from '@fairlead/apimachinery';
import type { ApiClient } from '@fairlead/kube';
import { CliError } from '../../cli-error.ts';
import { ageOf } from '../../duration.ts';
import {
  type ApplicationKey,
  findApplication,
  keyOf,
  nameOf,
  showKey,
  withAllObjects,
} from '../selection/find-application.ts';

/** The note by which an operation is known again: it goes with it from the request into its state. */
const idNote = 'fairlead.dev/operation';

export const idOf = (operation: Operation | undefined): string | undefined =>
  operation?.info?.find(({ name }) => name === idNote)?.value;

export const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
};

export interface StartedOperation {
  readonly id: string;
  readonly application: Application;
}

/** Asks for an operation. The one that was made for another state of the Application, or while another runs, is not asked for. */
export async function startOperation(
  client: ApiClient,
  key: ApplicationKey,
  make: (application: Application) => Operation,
): Promise<StartedOperation> {
  const id = randomUUID();
  for (let tries = 0; ; tries++) {
    const application = await findApplication(client, key);
    refuseUnlessFree(application);
    const { info = [], ...operation } = make(await withAllObjects(client, application));
    const body = {
      metadata: { resourceVersion: application.metadata.resourceVersion },
      operation: {
        ...operation,
        initiatedBy: { username: userName() },
        info: [...info, { name: idNote, value: id }],
      },
      // As Argo CD does: what is shown of the last operation is not to be taken for this one's.
      status: { operationState: null },
    };
    try {
      return {
        id,
        application: await client.patch<Application>(applicationKind.type, keyOf(application), 'merge', body),
      };
    } catch (error) {
      // The controller writes often; five times in a row it is something else.
      if (!isConflict(error) || tries === 5) throw error;
    }
  }
}

function refuseUnlessFree(application: Application): void {
  const name = nameOf(application);
  if (application.metadata.deletionTimestamp) throw new CliError(`${name} is being deleted`);
  if (!application.operation) return;
  const { operationState } = application.status ?? {};
  const by = initiator(application.operation);
  const since = operationState?.startedAt ? ` for ${ageOf(operationState.startedAt, Date.now())}` : '';
  throw new CliError(
    `${name} is being synced already${since}, by ${by}: wait with fairlead app wait ${name} --operation, or stop it with fairlead app terminate ${name}`,
  );
}

export const initiator = ({ initiatedBy }: Operation): string =>
  initiatedBy?.automated ? 'the controller itself' : initiatedBy?.username || 'somebody';

/** Where the operation with this id stands. */
export type Standing =
  | { readonly at: 'asked' }
  | { readonly at: 'running'; readonly state: OperationState }
  | { readonly at: 'ended'; readonly state: OperationState }
  /** Another one has taken its place, or somebody has taken it away. */
  | { readonly at: 'lost'; readonly why: string };

export function standingOf(application: Application, id: string): Standing {
  const state = application.status?.operationState;
  if (state && idOf(state.operation) === id) {
    const over = state.phase !== 'Running' && state.phase !== 'Terminating';
    return { at: over ? 'ended' : 'running', state };
  }
  if (idOf(application.operation) === id) return { at: 'asked' };
  const other = application.operation ?? state?.operation;
  const name = showKey(keyOf(application));
  return {
    at: 'lost',
    why: other
      ? `another operation, started by ${initiator(other)}, has taken its place: see fairlead app get ${name}`
      : `somebody has taken the request away: see fairlead app get ${name}`,
  };
}
