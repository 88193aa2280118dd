import { writeYaml } from '@fairlead/render/go-yaml';
import { alertGroups } from './alerts.ts';
import { dashboards, grafanaDashboard } from './dashboards.ts';

/** The dashboards as files, by name. */
export const dashboardFiles = (): [string, string][] =>
  dashboards.map((dashboard) => [
    `${dashboard.name}.json`,
    `${JSON.stringify(grafanaDashboard(dashboard), undefined, 2)}\n`,
  ]);

/** The generated files of `deploy/observability`, by their paths in it. */
export const observabilityFiles = (): [string, string][] => [
  ['alerts.yaml', writeYaml(JSON.parse(JSON.stringify({ groups: alertGroups() })))],
  ...dashboardFiles().map(([name, text]): [string, string] => [`dashboards/${name}`, text]),
];
