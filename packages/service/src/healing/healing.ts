import type { ApiClient, Clock, Logger } from '@fairlead/kube';
import type { Backend } from '../backend/backend.ts';
import type { Database } from '../database/index.ts';

export async function healing(
  _: { client: ApiClient; database: { db: Database }; clock: Clock; log: Logger },
  __: Backend,
  ___: AbortSignal,
): Promise<void> {}
