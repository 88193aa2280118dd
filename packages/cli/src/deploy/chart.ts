import { writeYaml } from '@fairlead/render/go-yaml';
import { version } from '../commands/version.ts';
import { defaultImage, type Installation } from './installation.ts';
import { resourcesOf, yamlOf } from './manifests.ts';
import { dashboards } from './monitoring/dashboards.ts';
import { dashboardFiles } from './monitoring/files.ts';
import { roleObjects, type ScopedObject } from './role-objects.ts';
import { deployedRoles, type RoleDeployment } from './role-table.ts';
import { crds, dashboardObject, sharedObjects } from './shared-objects.ts';
import { valuesSchema } from './values-schema.ts';

/** Marks the place of a template expression in an object until it is written. */
class Expressions {
  readonly #texts: string[] = [];

  /** The result of the expression as a value. */
  value(expression: string): string {
    this.#texts.push(`{{ ${expression} }}`);
    return `xTPL${this.#texts.length - 1}x`;
  }

  /** A field that is present if the value is not empty. */
  field(name: string, value: string): Record<string, null> {
    this.#texts.push(`{{- with ${value} }}\n${name}: {{ toJson . }}\n{{- end }}`);
    return { [`xTPL${this.#texts.length - 1}x`]: null };
  }

  write(object: object): string {
    return writeYaml(JSON.parse(JSON.stringify(object)))
      .replaceAll(/^( *)xTPL(\d+)x: null$/gmu, (_, indent: string, at: string) =>
        this.#text(at)
          .split('\n')
          .map((line) => (line.startsWith('{{-') ? line : `${indent}${line}`))
          .join('\n'),
      )
      .replaceAll(/xTPL(\d+)x/gu, (_, at: string) => this.#text(at));
  }

  #text(at: string): string {
    return this.#texts[Number(at)] ?? '';
  }
}

/** The files of the chart, by their paths in it. */
export function chartFiles(): Map<string, string> {
  const files = new Map([
    ['Chart.yaml', chartYaml()],
    ['values.yaml', valuesYaml(false)],
    ['values-ha.yaml', valuesYaml(true)],
    ['values.schema.json', `${JSON.stringify(valuesSchema(), undefined, 2)}\n`],
    ['crds/crds.yaml', yamlOf(crds())],
  ]);
  const namespace = '.Release.Namespace';
  const shared = new Expressions();
  const boards = dashboards.map(({ name }): ScopedObject => {
    const json = shared.value(`.Files.Get "dashboards/${name}.json" | toJson`);
    return { object: dashboardObject(shared.value(namespace), name, json), when: 'monitoring.dashboards' };
  });
  files.set('templates/shared.yaml', template([...sharedObjects(shared.value(namespace)), ...boards], shared));
  for (const [name, json] of dashboardFiles()) files.set(`dashboards/${name}`, json);
  for (const role of deployedRoles) {
    const expressions = new Expressions();
    const text = template(roleObjects(role, chartInstallation(expressions)), expressions);
    files.set(
      `templates/${role.name}.yaml`,
      role.namespaced ? text : `{{- if .Values.clusterScoped }}\n${text}{{- end }}\n`,
    );
  }
  return files;
}

function chartInstallation(expressions: Expressions): Installation {
  return {
    namespace: expressions.value('.Release.Namespace'),
    image: expressions.value('printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion)'),
    pullPolicy: expressions.value('.Values.image.pullPolicy'),
    logLevel: expressions.value('.Values.logLevel | quote'),
    replicas: ({ name }) => expressions.value(`.Values.roles.${name}.replicas`),
    resources: ({ name }) => expressions.value(`toJson .Values.roles.${name}.resources`),
    podFields: {
      ...expressions.field('imagePullSecrets', '.Values.imagePullSecrets'),
      ...expressions.field('nodeSelector', '.Values.nodeSelector'),
      ...expressions.field('tolerations', '.Values.tolerations'),
    },
  };
}

/** Expressions of Prometheus have single braces, which templates leave as they are. */
function template(objects: readonly ScopedObject[], expressions: Expressions): string {
  return objects
    .map(({ object, scope, when }) => {
      const conditions = [
        ...(scope === undefined ? [] : [scope === 'cluster' ? '.Values.clusterScoped' : '(not .Values.clusterScoped)']),
        ...(when === undefined ? [] : [`.Values.${when}`]),
      ];
      const text = `---\n${expressions.write(object)}`;
      const [only] = conditions;
      if (only === undefined) return text;
      return `{{- if ${conditions.length > 1 ? `and ${conditions.join(' ')}` : only} }}\n${text}{{- end }}\n`;
    })
    .join('');
}

const chartYaml = (): string =>
  writeYaml({
    apiVersion: 'v2',
    name: 'fairlead',
    description: 'Delivers what is in Git to many Kubernetes clusters, for many tenants.',
    type: 'application',
    version: version(),
    appVersion: version(),
    kubeVersion: '>=1.27.0-0',
  });

function valuesYaml(ha: boolean): string {
  const rolesOf = (fields: (role: RoleDeployment) => object): object =>
    Object.fromEntries(deployedRoles.map((role) => [role.name, fields(role)]));
  const values = ha
    ? { roles: rolesOf(({ replicas }) => ({ replicas: replicas.ha })) }
    : {
        image: { ...defaultImage, tag: '' },
        imagePullSecrets: [],
        nodeSelector: {},
        tolerations: [],
        logLevel: 'info',
        clusterScoped: true,
        networkPolicies: true,
        monitoring: { serviceMonitors: false, prometheusRules: false, dashboards: false },
        roles: rolesOf((role) => ({ replicas: role.replicas.single, resources: resourcesOf(role) })),
      };
  return writeYaml(JSON.parse(JSON.stringify(values)));
}
