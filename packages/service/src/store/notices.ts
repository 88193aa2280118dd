import type { ResourceTypeName } from '../database/index.ts';

/** Rows of Operation that the engine should look at: `tenant|operation`. */
export const operationChannel = 'fairlead_operation';
/** Resources whose rows the engine has changed, and when: `type|id|milliseconds`. */
export const changeChannel = 'fairlead_change';

export interface OperationRef {
  readonly tenant: string;
  readonly operation: string;
}

export const formatOperation = ({ tenant, operation }: OperationRef): string => `${tenant}|${operation}`;

export function parseOperation(payload: string): OperationRef {
  const [tenant = '', operation = ''] = payload.split('|');
  return { tenant, operation };
}

export interface ChangeRef {
  readonly type: ResourceTypeName | 'ApplicationState';
  readonly id: string;
  /** The moment that the row itself carries: a poll that finds the same has nothing new to tell. */
  readonly at: number;
}

export function parseChange(payload: string): ChangeRef {
  const [type = '', id = '', at = ''] = payload.split('|');
  return { type: type as ChangeRef['type'], id, at: Number(at) };
}
