import { type MeasureName, measureNames, measures, type Sample } from './measures.ts';

const width = 860;
const panelHeight = 150;
const left = 60;
const right = 150;
const top = 28;
const colours = ['#1f77b4', '#ff7f0e', '#2ca02c', '#d62728', '#9467bd', '#8c564b', '#e377c2', '#7f7f7f', '#bcbd22'];

/** One panel for each measure, with a line for each process: a gap is a restart. */
export function plot(samples: readonly Sample[], title: string): string {
  const processes = [...new Set(samples.map(({ process }) => process))];
  const height = top + measureNames.length * panelHeight + 30;
  const colourOf = (process: string): string => colours[processes.indexOf(process) % colours.length] ?? '#000';
  const legend = processes.map((process, i) => {
    const y = top + 20 + i * 16;
    const x = width - right + 14;
    return `<rect x="${x}" y="${y - 8}" width="10" height="10" fill="${colourOf(process)}"/><text x="${x + 15}" y="${y}">${escapeXml(process)}</text>`;
  });
  const last = Math.max(1, ...samples.map(({ at }) => at));
  const panels = measureNames.map((measure, i) =>
    panel({ samples, processes, measure, y: top + i * panelHeight, last, colourOf }),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${left}" y="17" font-size="14">${escapeXml(title)}</text>`,
    ...panels,
    ...legend,
    ...minuteLabels(last, top + measureNames.length * panelHeight + 8),
    '</svg>',
    '',
  ].join('\n');
}

interface Panel {
  readonly samples: readonly Sample[];
  readonly processes: readonly string[];
  readonly measure: MeasureName;
  readonly y: number;
  readonly last: number;
  colourOf(process: string): string;
}

function panel({ samples, processes, measure, y, last, colourOf }: Panel): string {
  const { title, unit } = measures[measure];
  const max = niceMax(Math.max(1, ...samples.map((sample) => sample[measure])));
  const [from, to] = [y + panelHeight - 10, y + 22];
  const point = (sample: Sample): string =>
    `${(left + (sample.at / last) * (width - left - right)).toFixed(1)},${(from - (sample[measure] / max) * (from - to)).toFixed(1)}`;
  const lines = processes.flatMap((process) => {
    const lives = Map.groupBy(
      samples.filter((sample) => sample.process === process),
      ({ life }) => life,
    );
    return [...lives.values()].map(
      (life) =>
        `<polyline fill="none" stroke="${colourOf(process)}" points="${life.map(point).join(' ')}"><title>${escapeXml(process)}</title></polyline>`,
    );
  });
  const grid = [0, 0.5, 1].map((share) => {
    const at = from - share * (from - to);
    return `<path d="M${left} ${at}H${width - right}" stroke="#ddd"/><text x="${left - 6}" y="${at + 4}" text-anchor="end">${share * max}</text>`;
  });
  return [`<text x="${left}" y="${y + 14}">${escapeXml(title)}${unit && `, ${unit}`}</text>`, ...grid, ...lines].join(
    '\n',
  );
}

function minuteLabels(last: number, y: number): string[] {
  const minutes = last / 60;
  const step = [0.1, 0.5, 1, 5, 10, 30, 60, 120].find((candidate) => minutes / candidate <= 10) ?? 240;
  const labels: string[] = [];
  for (let minute = 0; minute <= minutes; minute += step) {
    const x = left + (minute / minutes) * (width - left - right);
    labels.push(`<text x="${x.toFixed(1)}" y="${y}" text-anchor="middle">${Number(minute.toFixed(1))} min</text>`);
  }
  return labels;
}

/** The next of 1, 2, 4, 5, 10, 20, 40, 50, …. */
function niceMax(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
}

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
