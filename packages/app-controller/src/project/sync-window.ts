import type { Application, AppProject } from '@fairlead/api';
import { formatTime, messageOf, must, parseDuration } from '@fairlead/apimachinery';
import { matchesGlob } from '../glob.ts';
import { type Cron, parseCron } from './cron.ts';
import type { DestinationCluster } from './project.ts';

export type SyncWindow = NonNullable<AppProject['spec']['syncWindows']>[number];

export type WindowDecision =
  | { readonly open: true }
  | {
      readonly open: false;
      /** The reason, in one sentence. */
      readonly reason: string;
      /** For windows that do not parse: the message of Argo CD. */
      readonly invalid?: string;
      /** When a sync may run, if nothing else changes; undefined if there is no such time in the near future. */
      readonly opensAt?: number;
    };

export interface WindowQuestion {
  readonly project: AppProject;
  readonly application: Application;
  readonly cluster: DestinationCluster;
  readonly now: number;
  /** The sync is manual. */
  readonly manual?: boolean;
  /** When the sync started, if it is running: some windows permit it to continue. */
  readonly startedAt?: number;
}

const open: WindowDecision = { open: true };

/**
 * Whether the sync windows of a project permit a sync of an Application.
 *
 * A deny window that is open wins over everything. Where there are allow windows, one of them must be open. `manualSync` permits manual
 * syncs if all blocking windows have it; `syncOverrun` permits a sync to continue that started when it was allowed.
 */
export function syncWindowDecision(question: WindowQuestion): WindowDecision {
  const { project, application, cluster, now } = question;
  const windows = project.spec.syncWindows ?? [];
  if (windows.length === 0) return open;
  const schedules: Schedule[] = [];
  for (const [i, window] of windows.entries()) {
    const schedule = parseWindow(window);
    if ('problem' in schedule) {
      const { field, problem } = schedule;
      const reason = `project '${project.metadata.name}': spec.syncWindows[${i}].${field}: ${problem}: nothing is synced until it is fixed`;
      return { open: false, reason, invalid: `invalid sync windows: ${problem}` };
    }
    if (matches(window, application, cluster)) schedules.push(schedule);
  }
  const obstacles = obstaclesAt(schedules, now, question.manual ?? false);
  if (obstacles.length === 0) return open;
  const { startedAt } = question;
  const mayGoOn =
    startedAt !== undefined &&
    obstacles.every(({ window }) => window.syncOverrun) &&
    obstaclesAt(schedules, startedAt, question.manual ?? false).length === 0;
  if (mayGoOn) return open;
  const opensAt = nextOpening(schedules, now, question.manual ?? false);
  return {
    open: false,
    reason: `${describe(project, obstacles)}${opensAt === undefined ? '' : `; the next sync may run at ${formatTime(opensAt)}`}`,
    ...(opensAt === undefined ? {} : { opensAt }),
  };
}

/** The windows that are open now, without those that do not parse. */
export const activeSyncWindows = (windows: readonly SyncWindow[], now: number): SyncWindow[] =>
  windows.filter((window) => {
    const schedule = parseWindow(window);
    return !('problem' in schedule) && openSince(schedule, now) !== undefined;
  });

/** The windows that match an Application. */
export const assignedSyncWindows = (
  { spec }: AppProject,
  application: Application,
  cluster: DestinationCluster,
): SyncWindow[] => (spec.syncWindows ?? []).filter((window) => matches(window, application, cluster));

interface Schedule {
  readonly window: SyncWindow;
  readonly cron: Cron;
  readonly durationMs: number;
  readonly zone: string;
}

/** The problems of the sync windows of a project, each with its field. */
export function syncWindowProblems(windows: readonly SyncWindow[]): string[] {
  return windows.flatMap((window, i) => {
    const schedule = parseWindow(window);
    const somebody = [window.applications, window.namespaces, window.clusters].some((list) => (list ?? []).length > 0);
    return [
      ...('problem' in schedule ? [`spec.syncWindows[${i}].${schedule.field}: ${schedule.problem}`] : []),
      ...(somebody ? [] : [`spec.syncWindows[${i}] matches nothing: set applications, namespaces or clusters`]),
    ];
  });
}

interface InvalidWindow {
  readonly field: 'kind' | 'schedule' | 'duration' | 'timeZone';
  readonly problem: string;
}

/** The schedule, or the field that is wrong and why. */
function parseWindow(window: SyncWindow): Schedule | InvalidWindow {
  const { kind = '', schedule = '', duration = '', timeZone = '' } = window;
  if (kind !== 'allow' && kind !== 'deny')
    return { field: 'kind', problem: `kind '${kind}' mismatch: can only be allow or deny` };
  let cron: Cron;
  try {
    cron = parseCron(schedule);
  } catch (error) {
    return { field: 'schedule', problem: `cannot parse schedule '${schedule}': ${messageOf(error)}` };
  }
  const durationMs = parseDuration(duration);
  if (durationMs === undefined || durationMs < 0)
    return { field: 'duration', problem: `cannot parse duration '${duration}': write 1h30m` };
  const zone = timeZone || 'UTC';
  if (!isZone(zone))
    return { field: 'timeZone', problem: `unknown time zone ${timeZone}: write a name such as Europe/Berlin` };
  return { window, cron, durationMs, zone };
}

/** Which windows match an Application: any of their patterns, or with `andOperator` all of them. */
function matches(window: SyncWindow, { metadata, spec }: Application, cluster: DestinationCluster): boolean {
  const { destination } = spec;
  const names = [destination.name, destination.server, cluster.name, cluster.server];
  const matched = (patterns: readonly string[] | undefined, texts: readonly (string | undefined)[]) =>
    patterns?.length ? patterns.some((pattern) => texts.some((text) => text && matchesGlob(pattern, text))) : undefined;
  const found = [
    matched(window.applications, [metadata.name]),
    matched(window.clusters, names),
    matched(window.namespaces, [destination.namespace]),
  ].filter((one) => one !== undefined);
  return window.andOperator ? found.length > 0 && found.every(Boolean) : found.some(Boolean);
}

/** The blocking windows at a time: open deny windows, or else allow windows if none is open. */
function obstaclesAt(schedules: readonly Schedule[], now: number, manual: boolean): readonly Schedule[] {
  const isOpen = (schedule: Schedule): boolean => openSince(schedule, now) !== undefined;
  const denying = schedules.filter((schedule) => schedule.window.kind === 'deny' && isOpen(schedule));
  const allowing = schedules.filter(({ window }) => window.kind === 'allow');
  const obstacles = denying.length > 0 ? denying : allowing.some(isOpen) ? [] : allowing;
  return manual && obstacles.every(({ window }) => window.manualSync) ? [] : obstacles;
}

/** Schedules are in local time: times are shifted by the offset of the zone, matched, and shifted back. */
function openSince({ cron, durationMs, zone }: Schedule, now: number): number | undefined {
  const wall = now + zoneOffset(zone, now);
  // A window that ends now is closed, but a later start may have opened another: the search begins after the ended one.
  const begins = cron.next(wall - durationMs);
  return begins !== undefined && begins <= wall ? begins - (wall - now) : undefined;
}

function opens({ cron, zone }: Schedule, now: number): number | undefined {
  const offset = zoneOffset(zone, now);
  const begins = cron.next(now + offset);
  return begins === undefined ? undefined : begins - zoneOffset(zone, begins - offset);
}

/** Windows open and close at known times; between them nothing changes. */
function nextOpening(schedules: readonly Schedule[], now: number, manual: boolean): number | undefined {
  let at = now;
  for (let steps = 0; steps < 1_000; steps++) {
    const edges = schedules.flatMap((schedule) => {
      const since = openSince(schedule, at);
      return [since === undefined ? undefined : since + schedule.durationMs, opens(schedule, at)];
    });
    const ahead = edges.filter((edge) => edge !== undefined).filter((edge) => edge > at);
    if (ahead.length === 0) return undefined;
    at = Math.min(...ahead);
    if (obstaclesAt(schedules, at, manual).length === 0) return at;
  }
  return undefined;
}

function describe({ metadata }: AppProject, obstacles: readonly Schedule[]): string {
  const [first] = obstacles;
  const { kind, schedule, duration, timeZone, description } = must(first, 'the window').window;
  const named = `'${schedule}' for ${duration}${timeZone ? ` (${timeZone})` : ''}${description ? `, ${description},` : ''}`;
  const more = obstacles.length > 1 ? ` and ${obstacles.length - 1} more` : '';
  return kind === 'deny'
    ? `the deny window ${named}${more} of project '${metadata.name}' is open`
    : `no allow window of project '${metadata.name}' is open: ${named}${more}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function isZone(zone: string): boolean {
  try {
    return formatOf(zone) !== undefined;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  return format;
}

/** The offset of a time zone from UTC at a time. */
function zoneOffset(zone: string, at: number): number {
  if (zone === 'UTC') return 0;
  const name = formatOf(zone)
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  const match = /GMT([+-])(\d+):(\d+)(?::(\d+))?/u.exec(name ?? '');
  if (!match) return 0;
  const [, sign, hours, minutes, seconds = '0'] = match;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
}
