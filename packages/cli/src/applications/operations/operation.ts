import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { type Application, applicationKind, type Operation, type OperationState } from '@fairlead/api';
import { isConflict } from '@fairlead/apimachinery';
import { initiator } from '@fairlead/app-controller/application-text';
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

/** The entry of `operation.info` with the operation's id: it is copied from the request to the operation state. */
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

/** Requests an operation. Fails if the Application has changed or another operation runs. */
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
      // As Argo CD does: the last operation state must not be confused with this one.
      status: { operationState: null },
    };
    try {
      return {
        id,
        application: await client.patch<Application>(applicationKind.type, keyOf(application), 'merge', body),
      };
    } catch (error) {
      // The controller writes often, but not five times in a row.
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
    `${name} is already being synced${since}, by ${by}: wait with fairlead app wait ${name} --operation, or stop it with fairlead app terminate ${name}`,
  );
}

/** The progress of the operation with this id. */
export type Standing =
  | { readonly at: 'asked' }
  | { readonly at: 'running'; readonly state: OperationState }
  | { readonly at: 'ended'; readonly state: OperationState }
  /** It was replaced by another operation, or removed. */
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
      ? `it was replaced by another operation, started by ${initiator(other)}: see fairlead app get ${name}`
      : `the request was removed: see fairlead app get ${name}`,
  };
}
