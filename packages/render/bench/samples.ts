import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Files = Record<string, string | Uint8Array>;

const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  replicas: 1
  selector:
    matchLabels:
      app: ${name}
  template:
    metadata:
      labels:
        app: ${name}
    spec:
      containers:
      - name: main
        image: example.com/web:1
        ports:
        - name: http
          containerPort: 8080
        env:
        - name: LOG
          valueFrom:
            configMapKeyRef:
              name: settings
              key: log
        resources:
          requests:
            cpu: 100m
            memory: 128Mi
`;

const service = (name: string): string => `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector:
    app: ${name}
  ports:
  - name: http
    port: 80
    targetPort: http
`;

/** A typical Application: a base, and an overlay with a patch, an image and a generated ConfigMap. */
export const smallOverlay: Files = {
  'base/kustomization.yaml': 'resources:\n- deployment.yaml\n- service.yaml\n',
  'base/deployment.yaml': deployment('web'),
  'base/service.yaml': service('web'),
  'overlay/kustomization.yaml': `resources:
- ../base
namespace: prod
namePrefix: eu-
images:
- name: example.com/web
  newTag: "2"
configMapGenerator:
- name: settings
  literals:
  - log=debug
patches:
- path: replicas.yaml
`,
  'overlay/replicas.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n',
};

/** A schema with many described fields, as CRDs have them. */
function schema(depth: number): object {
  if (depth === 0) return { type: 'string', description: 'A value that somebody may set, with a sentence about it.' };
  const properties = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`field${i}`, schema(depth - 1)]));
  return { type: 'object', description: `An object of fields that are ${depth} levels deep.`, properties };
}

function crd(i: number): string {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things${i}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: `Thing${i}`, plural: `things${i}` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema(4) } }],
    },
  };
  return JSON.stringify(definition, null, 1);
}

/** About as large as the installation of a big operator: CRDs of hundreds of kilobytes and some sixty objects. */
export function largeKustomization(): Files {
  const files: Files = {
    'kustomization.yaml':
      'namespace: system\nresources:\n- base\n- crds\nimages:\n- name: example.com/web\n  newTag: "3"\n',
  };
  const names = Array.from({ length: 30 }, (_, i) => `web${i}`);
  for (const name of names) files[`base/${name}.yaml`] = `${deployment(name)}---\n${service(name)}`;
  files['base/kustomization.yaml'] = `resources:\n${names.map((name) => `- ${name}.yaml\n`).join('')}`;
  const crds = [0, 1, 2, 3];
  for (const i of crds) files[`crds/${i}.yaml`] = crd(i);
  files['crds/kustomization.yaml'] = `resources:\n${crds.map((i) => `- ${i}.yaml\n`).join('')}`;
  return files;
}

/** A chart with the standard partials, and many templates that use them. */
export function largeChart(): Files {
  const files: Files = {
    'Chart.yaml': 'apiVersion: v2\nname: many\nversion: 1.0.0\n',
    'values.yaml': `services:\n${Array.from({ length: 60 }, (_, i) => `  s${i}: {port: ${8000 + i}, env: {A: a, B: b}}\n`).join('')}`,
    'templates/_names.tpl':
      '{{- define "many.labels" -}}\napp.kubernetes.io/name: {{ .name | trunc 63 | trimSuffix "-" }}\napp.kubernetes.io/instance: {{ .root.Release.Name }}\n{{- end }}\n',
  };
  for (let i = 0; i < 12; i++)
    files[`templates/t${i}.yaml`] = `{{- range $name, $s := .Values.services }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ printf "%s-%s-${i}" $.Release.Name $name }}
  labels: {{- include "many.labels" (dict "name" $name "root" $) | nindent 4 }}
  annotations:
    checksum: {{ toYaml $s | sha256sum }}
data:
  port: {{ $s.port | quote }}
  env: |
    {{- toYaml $s.env | nindent 4 }}
{{- end }}
`;
  return files;
}

/** The files of `apps` Applications in one repository: alternating plain manifests, overlays of one base, and values of one chart. */
export function monorepo(apps: number): Files {
  const files: Files = {
    'base/kustomization.yaml': smallOverlay['base/kustomization.yaml']!,
    'base/deployment.yaml': deployment('web'),
    'base/service.yaml': service('web'),
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/values.yaml': 'replicas: 1\n',
    'chart/templates/web.yaml': deployment('{{ .Release.Name }}').replace(
      'replicas: 1',
      'replicas: {{ .Values.replicas }}',
    ),
  };
  for (let i = 0; i < apps; i++) {
    if (i % 3 === 0) files[`apps/a${i}/all.yaml`] = `${deployment(`a${i}`)}---\n${service(`a${i}`)}`;
    else if (i % 3 === 1) files[`apps/a${i}/kustomization.yaml`] = `resources:\n- ../../base\nnamePrefix: a${i}-\n`;
    else files[`apps/a${i}/values.yaml`] = `replicas: ${i % 7}\n`;
  }
  return files;
}

export function writeFiles(dir: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
}

export function readFiles(dir: string): Files {
  const files: Files = {};
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(dir.length + 1)] = readFileSync(path);
  }
  return files;
}
