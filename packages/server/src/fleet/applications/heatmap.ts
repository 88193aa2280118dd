import { type ApplicationSummary, type Heatmap, healthStatuses, syncStatuses } from '../api/application-shapes.ts';
import type { GroupKey } from '../api/endpoints.ts';
import { facetValue } from './properties.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const states = syncStatuses.flatMap((sync) => healthStatuses.map((health) => ({ sync, health })));
const letterOf = new Map(states.map(({ sync, health }, i) => [`${sync} ${health}`, letters.charAt(i)]));

/** The state of Applications, one letter each. Groups are sorted; names keep their order. */
export function heatmapOf(summaries: Iterable<ApplicationSummary>, group: GroupKey): Omit<Heatmap, 'version'> {
  const groups = new Map<string, { names: string[]; states: string[] }>();
  for (const summary of summaries) {
    const name = facetValue(group, summary);
    const members = groups.get(name) ?? { names: [], states: [] };
    members.names.push(`${summary.namespace}/${summary.name}`);
    members.states.push(letterOf.get(`${summary.sync} ${summary.health}`) ?? '?');
    groups.set(name, members);
  }
  return {
    legend: Object.fromEntries(states.map((state, i) => [letters.charAt(i), state])),
    groups: [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, members]) => ({ name, names: members.names, states: members.states.join('') })),
  };
}
