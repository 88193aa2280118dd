import type { Application, ResourceStatus } from '@fairlead/api';
import { initiator } from '@fairlead/app-controller/application-text';
import { ageOf } from '../../duration.ts';
import { tableLines } from '../../table.ts';
import { fitNames } from '../../terminal/fit-names.ts';
import { clipped, type Style, visible, widthOf } from '../../terminal/style.ts';
import {
  destinationText,
  healthWord,
  isBusy,
  policyText,
  revisionText,
  sourcesOf,
  sourceText,
  stateText,
  syncWord,
  whyText,
} from './status-text.ts';

export interface TableOptions {
  readonly style: Style;
  readonly wide: boolean;
  readonly namespaces: boolean;
  readonly columns: number;
  readonly now: number;
  /** Without the header, for scripts. */
  readonly noHeaders?: boolean;
}

export const byName = (a: Application, b: Application): number => {
  const [x, y] = [nameOf(a), nameOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
};

const nameOf = ({ metadata }: Application): string => `${metadata.namespace}/${metadata.name}`;

const namespaceFact = (namespace = ''): [string, string] => ['Namespace', namespace];

/** Columns that the reason needs on the line of its Application; with fewer, it is on the next line. */
const roomForWhy = 40;

/** One line per Application, and the reason of each problem. */
export function applicationTable(applications: readonly Application[], options: TableOptions): string[] {
  const { style, wide, namespaces, columns, now } = options;
  const head = [
    ...(namespaces ? ['NAMESPACE'] : []),
    'NAME',
    'SYNC',
    'HEALTH',
    'REVISION',
    'DESTINATION',
    ...(wide ? ['PROJECT', 'POLICY', 'SOURCE', 'AGE'] : []),
  ];
  const rows = applications.map((application) => [
    ...(namespaces ? [application.metadata.namespace ?? ''] : []),
    application.metadata.name,
    isBusy(application) ? style.wary(`${syncWord(application)}, syncing`) : stateText(syncWord(application), style),
    stateText(healthWord(application), style),
    revisionText(application),
    destinationText(application),
    ...(wide
      ? [
          application.spec.project || 'default',
          policyText(application),
          sourcesOf(application).map(sourceText).join(', '),
          ageOf(application.metadata.creationTimestamp, now),
        ]
      : []),
  ]);
  const names = namespaces ? [0, 1] : [0];
  const all = [head.map((word) => style.strong(word)), ...rows];
  const fitting = fitNames(all, { names, last: names.length + 1 }, columns);
  const lines = withReasons(fitting, applications.map(whyText), style, columns);
  return options.noHeaders ? lines.slice(1) : lines;
}

function withReasons(rows: readonly string[][], whys: readonly string[], style: Style, columns: number): string[] {
  const lines = tableLines(rows);
  const beside = columns - Math.max(...lines.map(widthOf)) >= roomForWhy;
  if (whys.every((why) => why === '')) return lines.map((line) => clipped(line, columns));
  if (beside)
    return tableLines(
      rows.map((row, i) => [...row, i === 0 ? style.strong('WHY') : style.faint(whys[i - 1] ?? '')]),
    ).map((line) => clipped(line, columns));
  return lines.flatMap((line, i) => {
    const why = i === 0 ? '' : (whys[i - 1] ?? '');
    return [line, ...(why === '' ? [] : [style.faint(`  ${why}`)])].map((one) => clipped(one, columns));
  });
}

/** One Application with its spec, status, conditions and objects. */
export function applicationPage(application: Application, options: TableOptions): string[] {
  const { style, now } = options;
  const { status, spec, metadata } = application;
  const revision = revisionText(application);
  const last = status?.operationState;
  const facts: [string, string][] = [
    ['Name', style.strong(metadata.name)],
    ...(options.namespaces ? [namespaceFact(metadata.namespace)] : []),
    ['Project', spec.project || 'default'],
    ['Destination', destinationText(application)],
    ...sourcesOf(application).map((source): [string, string] => ['Source', sourceText(source)]),
    ['Policy', [policyText(application), ...(spec.syncPolicy?.syncOptions ?? [])].join(' ')],
    ['Sync', `${stateText(syncWord(application), style)}${revision ? ` with ${revision}` : ''}`],
    ['Health', stateText(healthWord(application), style)],
  ];
  if (last) {
    const when = last.finishedAt ? `${ageOf(last.finishedAt, now)} ago` : `for ${ageOf(last.startedAt, now)}`;
    const note = last.message ? `: ${visible(last.message)}` : '';
    facts.push(['Last sync', `${stateText(last.phase, style)} ${when}, by ${initiator(last.operation)}${note}`]);
  }
  for (const { type, message } of status?.conditions ?? []) {
    const mark = /Error$/u.test(type) ? style.bad : style.wary;
    facts.push(['Condition', `${mark(type)}: ${visible(message)}`]);
  }
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, text]) => `${style.faint(name.padEnd(width))}   ${text}`);
  const resources = status?.resources ?? [];
  return resources.length === 0 ? lines : [...lines, '', ...resourceTable(resources, options)];
}

export function resourceTable(resources: readonly ResourceStatus[], { style, wide, columns }: TableOptions): string[] {
  const waves = resources.some(({ syncWave }) => syncWave);
  const says = (one: ResourceStatus): string =>
    [one.hook ? 'hook' : '', one.requiresPruning ? 'to be pruned' : '', visible(one.health?.message ?? '')]
      .filter(Boolean)
      .join('; ');
  const notes = resources.some((one) => says(one) !== '');
  const head = [
    'KIND',
    'NAMESPACE',
    'NAME',
    'SYNC',
    'HEALTH',
    ...(waves ? ['WAVE'] : []),
    ...(wide ? ['API'] : []),
    ...(notes ? ['NOTE'] : []),
  ];
  const rows = resources.map((one) => [
    one.kind ?? '',
    one.namespace ?? '',
    one.name ?? '',
    one.status ? stateText(one.status, style) : '',
    one.health?.status ? stateText(one.health.status, style) : '',
    ...(waves ? [String(one.syncWave ?? 0)] : []),
    ...(wide ? [one.group ? `${one.group}/${one.version}` : (one.version ?? '')] : []),
    ...(notes ? [style.faint(says(one))] : []),
  ]);
  const all = [head.map((word) => style.strong(word)), ...rows];
  return tableLines(fitNames(all, { names: [1, 2], last: 4 }, columns)).map((line) => clipped(line, columns));
}
