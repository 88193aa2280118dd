import {
  type Application,
  applicationKind,
  type ImageUpdater,
  type ImageUpdaterCondition,
  imageUpdaterKind,
} from '@fairlead/api';
import { find, formatTime, isConflict, isNotFound, withTransitionTime } from '@fairlead/apimachinery';
import type { ApiClient, Clock, NewEvent } from '@fairlead/kube';
import type { ImagesError } from '../images-error.ts';
import { fullName, versionText } from '../reference/image-reference.ts';
import type { Result, Round } from './updater-env.ts';

export interface StatusEnv {
  readonly client: Pick<ApiClient, 'get' | 'patch'>;
  readonly clock: Clock;
  record(event: NewEvent): void;
}

const maxRecent = 10;
const quietMs = 30_000;

/** Writes the results of updates: events and conditions of Applications, and the status of ImageUpdaters. */
export class StatusWriter {
  readonly #env: StatusEnv;
  /** The conditions last written to each Application and its resource version, so that they are written again only if they changed or were lost. */
  readonly #conditions = new Map<string, { readonly text: string; readonly version: string }>();
  readonly #latest = new Map<string, Result>();
  readonly #written = new Map<string, { readonly text: string; readonly at: number }>();

  constructor(env: StatusEnv) {
    this.#env = env;
  }

  async application({ entry, report }: Result): Promise<void> {
    const { application } = entry;
    for (const event of eventsOf(application, report)) this.#env.record(event);
    const conditions = [
      ...report.problems.map(({ image, error }) => ({
        type: 'ImageUpdateError',
        message: image ? `${image}: ${error.message}` : error.message,
      })),
      ...report.held.map(({ image, reason }) => ({ type: 'ImageHeld', message: `${image}: ${reason}` })),
    ];
    const text = JSON.stringify(conditions);
    const last = this.#conditions.get(entry.key);
    const shown = last && isOlder(application, last.version) ? last.text : ownText(application);
    if (text === shown) return;
    const version = await this.#setConditions(entry.application, conditions);
    this.#conditions.set(entry.key, { text, version });
  }

  /**
   * Uses the resource version, because the application controller writes conditions too. If it overwrites ours, the next update restores
   * them. Returns the resource version that was written.
   */
  async #setConditions(
    application: Application,
    conditions: readonly { type: string; message: string }[],
  ): Promise<string> {
    const { name, namespace = '', uid } = application.metadata;
    const now = formatTime(this.#env.clock.now());
    for (let tries = 1; ; tries++) {
      try {
        const current = await this.#env.client.get<Application>(applicationKind.type, { namespace, name });
        if (current.metadata.uid !== uid) return '';
        const others = (current.status?.conditions ?? []).filter(({ type }) => !isOwn(type));
        const ours = conditions.map((condition) => ({ ...condition, lastTransitionTime: now }));
        const body = {
          metadata: { resourceVersion: current.metadata.resourceVersion },
          status: { conditions: [...others, ...ours] },
        };
        const written = await this.#env.client.patch<Application>(
          applicationKind.type,
          { namespace, name },
          'merge',
          body,
          { fieldManager: 'image-updater' },
        );
        return written.metadata.resourceVersion ?? '';
      } catch (error) {
        if (isNotFound(error)) return '';
        if (!isConflict(error) || tries >= 5) throw error;
      }
    }
  }

  /** Writes the status of each ImageUpdater after a round, from the latest results of all its Applications. */
  async updaters(updaters: readonly ImageUpdater[], { results, watched, broken }: Round): Promise<void> {
    const now = this.#env.clock.now();
    const present = new Set(watched.map(({ key }) => key));
    for (const key of this.#latest.keys()) if (!present.has(key)) this.#latest.delete(key);
    for (const result of results) this.#latest.set(result.entry.key, result);
    for (const updater of updaters) {
      const isItsOwn = ({ entry }: Result): boolean => entry.updater?.metadata.uid === updater.metadata.uid;
      const error = [...broken].find(([one]) => one.metadata.uid === updater.metadata.uid)?.[1];
      const updated = results.filter(isItsOwn);
      if (updated.length === 0 && !error && updater.status?.observedGeneration === updater.metadata.generation)
        continue;
      const status = statusOf(
        updater,
        { all: [...this.#latest.values()].filter(isItsOwn), updated },
        error,
        formatTime(now),
      );
      await this.#writeStatus(updater, status, now);
    }
  }

  /** A changed lastCheckedAt alone is written only occasionally. */
  async #writeStatus(updater: ImageUpdater, status: NonNullable<ImageUpdater['status']>, now: number): Promise<void> {
    const { name, namespace = '', uid = '' } = updater.metadata;
    const { lastCheckedAt: _, ...rest } = status;
    const text = JSON.stringify(rest);
    const last = this.#written.get(uid);
    if (last?.text === text && now - last.at < quietMs) return;
    this.#written.set(uid, { text, at: now });
    const options = { subresource: 'status', fieldManager: 'image-updater' } as const;
    await find(this.#env.client.patch(imageUpdaterKind.type, { namespace, name }, 'merge', { status }, options));
  }
}

const isOwn = (type: string): boolean => type === 'ImageUpdateError' || type === 'ImageHeld';
const ownText = ({ status }: Application): string =>
  JSON.stringify(
    (status?.conditions ?? []).filter(({ type }) => isOwn(type)).map(({ type, message }) => ({ type, message })),
  );

/** Whether the informer does not show the written version yet. Versions that are not numbers cannot be compared. */
const isOlder = ({ metadata: { resourceVersion = '' } }: Application, version: string): boolean =>
  /^\d+$/u.test(resourceVersion) && /^\d+$/u.test(version) && BigInt(resourceVersion) < BigInt(version);

function* eventsOf(application: Application, report: Result['report']): Iterable<NewEvent> {
  if (report.updated.length > 0) {
    const images = report.updated.map(
      ({ image, old, new: next }) => `${fullName(image)} ${versionText(old) || 'nothing'} -> ${versionText(next)}`,
    );
    const where = report.pullRequest
      ? ` (${report.pullRequest})`
      : report.commit
        ? ` (commit ${report.commit.slice(0, 10)})`
        : '';
    yield {
      regarding: application,
      type: 'Normal',
      reason: 'ImagesUpdated',
      action: 'UpdateImages',
      note: `Updated ${images.join(', ')}${where}`.slice(0, 1000),
    };
  }
  for (const { image, error } of report.problems) {
    yield {
      regarding: application,
      type: 'Warning',
      reason: 'ImageUpdateFailed',
      action: 'UpdateImages',
      note: `${image ? `${image}: ` : ''}${error.message}`.slice(0, 1000),
    };
  }
  for (const { image, reason } of report.held) {
    yield {
      regarding: application,
      type: 'Normal',
      reason: 'ImageHeld',
      action: 'UpdateImages',
      note: `${image}: ${reason}`.slice(0, 1000),
    };
  }
}

export function statusOf(
  updater: ImageUpdater,
  { all: results, updated: checked }: { readonly all: readonly Result[]; readonly updated: readonly Result[] },
  error: ImagesError | undefined,
  now: string,
): NonNullable<ImageUpdater['status']> {
  const before = updater.status ?? {};
  const generation = updater.metadata.generation ?? 0;
  const problems = results.flatMap(({ entry, report }) =>
    report.problems.map((problem) => `${entry.name}: ${problem.error.message}`),
  );
  const updates = recentUpdates(checked, now);
  const images = results.reduce((sum, { report }) => sum + report.considered, 0);
  const updated = checked.reduce((sum, { report }) => sum + report.updated.length, 0);
  const set = (type: string, status: 'True' | 'False', reason: string, message: string): ImageUpdaterCondition => {
    const condition = { type, status, reason, message: message.slice(0, 32_000), observedGeneration: generation };
    return withTransitionTime(condition, before.conditions, now);
  };
  const conditions = error
    ? [
        set('Error', 'True', 'ReconcileError', error.message),
        set('Ready', 'False', 'ReconcileFailed', `Reconciliation failed: ${error.message}`),
      ]
    : problems.length > 0
      ? [
          set('Error', 'True', 'PartialErrors', `${problems.length} error(s): ${problems.slice(0, 5).join('; ')}`),
          set(
            'Ready',
            'True',
            'ReconcileCompletedWithErrors',
            `Reconciled ${results.length} applications with ${problems.length} errors, ${updated} images updated.`,
          ),
        ]
      : [
          set('Error', 'False', 'NoErrors', 'No errors during last reconciliation.'),
          set(
            'Ready',
            'True',
            'ReconcileSucceeded',
            `Reconciled ${results.length} applications, ${updated} images updated.`,
          ),
        ];
  return {
    observedGeneration: generation,
    applicationsMatched: results.length,
    imagesManaged: images,
    lastCheckedAt: now,
    ...(updates.length > 0
      ? { lastUpdatedAt: now }
      : before.lastUpdatedAt
        ? { lastUpdatedAt: before.lastUpdatedAt }
        : {}),
    recentUpdates: [...updates, ...(before.recentUpdates ?? [])].slice(0, maxRecent),
    conditions: [set('Reconciling', 'False', 'Idle', 'Last check completed. Awaiting next cycle.'), ...conditions],
  };
}

/** One entry per image and version, with the number of Applications. */
function recentUpdates(
  results: readonly Result[],
  now: string,
): NonNullable<NonNullable<ImageUpdater['status']>['recentUpdates']> {
  const byImage = new Map<
    string,
    { alias: string; image: string; newVersion: string; applicationsUpdated: number; updatedAt: string }
  >();
  for (const { report } of results) {
    for (const { alias, image, new: next } of report.updated) {
      const key = `${alias}\n${fullName(image)}\n${versionText(next)}`;
      const entry = byImage.get(key) ?? {
        alias,
        image: fullName(image),
        newVersion: versionText(next),
        applicationsUpdated: 0,
        updatedAt: now,
      };
      byImage.set(key, { ...entry, applicationsUpdated: entry.applicationsUpdated + 1 });
    }
  }
  return [...byImage.values()];
}
