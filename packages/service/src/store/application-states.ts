import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ApplicationStatus } from '@fairlead/api';
import { sql } from 'kysely';
import type { Database } from '../database/index.ts';
import { type ChangeRef, changeChannel, formatChange, notify } from './notifications.ts';

export const packStatus = (status: ApplicationStatus): Uint8Array =>
  deflateRawSync(JSON.stringify(status), { level: 3 });
export const unpackStatus = (packed: Uint8Array): ApplicationStatus => JSON.parse(inflateRawSync(packed).toString());
export const hashOfStatus = (status: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(status ?? {}))
    .digest('base64url')
    .slice(0, 22);

/** Stores the status of an Application that has a row, and sends a notification if it changed. Returns whether it changed. */
export async function putApplicationState(
  db: Database,
  {
    uid,
    status,
    hash,
    now,
  }: { readonly uid: string; readonly status: ApplicationStatus; readonly hash: string; readonly now: Date },
): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO applicationstate AS s (applicationstate_application_id, argocd_application_status, status_hash, updated_on)
    SELECT application_id, ${Buffer.from(packStatus(status))}::bytea, ${hash}::text, ${now}::timestamptz FROM application
      WHERE application_id = ${uid} FOR KEY SHARE
    ON CONFLICT (applicationstate_application_id) DO UPDATE SET argocd_application_status = excluded.argocd_application_status,
      status_hash = excluded.status_hash, updated_on = excluded.updated_on
      WHERE s.status_hash <> excluded.status_hash
    RETURNING 1`.execute(db);
  if (rows.length === 0) return false;
  await notify(db, changeChannel, [formatChange({ type: 'ApplicationState', id: uid, at: now.getTime() })]);
  return true;
}

/** Applications whose status has changed since a time. */
export async function statesSince(db: Database, since: Date, limit: number): Promise<ChangeRef[]> {
  const rows = await db
    .selectFrom('applicationstate')
    .select(['applicationstate_application_id as id', 'updated_on'])
    .where('updated_on', '>', since)
    .orderBy('updated_on')
    .limit(limit)
    .execute();
  return rows.map(({ id, updated_on }) => ({ type: 'ApplicationState', id, at: updated_on.getTime() }));
}
