import type { KubeObject, ResourceType } from '@fairlead/apimachinery';

const group = 'sim.fairlead.dev';
const version = 'v1alpha1';

export const faultType: ResourceType = { group, version, kind: 'Fault', plural: 'faults', namespaced: false };
export const registryType: ResourceType = { group, version, kind: 'Registry', plural: 'registries', namespaced: false };

const text = { type: 'string' };
const number = { type: 'number', minimum: 0 };

const crd = (type: ResourceType, spec: object, columns: object[]): KubeObject =>
  ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${type.plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { kind: type.kind, plural: type.plural, singular: type.kind.toLowerCase(), listKind: `${type.kind}List` },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec } } },
        },
      ],
    },
  }) as KubeObject;

/** The kinds that configure the simulation. They do not exist on a real cluster. */
export const simDefinitions: readonly KubeObject[] = [
  crd(
    faultType,
    {
      type: 'object',
      required: ['kind'],
      description: 'Something that goes wrong in the simulated world, while this object exists.',
      properties: {
        kind: {
          type: 'string',
          enum: ['crash-loop', 'slow-pull', 'node-down', 'never-ready', 'api-latency', 'api-error'],
        },
        selector: {
          type: 'object',
          properties: {
            matchLabels: { type: 'object', additionalProperties: text },
            matchExpressions: {
              type: 'array',
              items: {
                type: 'object',
                required: ['key', 'operator'],
                properties: { key: text, operator: text, values: { type: 'array', items: text } },
              },
            },
          },
        },
        namespaces: { type: 'array', items: text },
        probability: { type: 'number', minimum: 0, maximum: 1 },
        window: {
          type: 'object',
          properties: { start: { type: 'string', format: 'date-time' }, end: { type: 'string', format: 'date-time' } },
        },
        factor: number,
        latencyMs: number,
        code: { type: 'integer', minimum: 400, maximum: 599 },
      },
    },
    [
      { name: 'Kind', type: 'string', jsonPath: '.spec.kind' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  ),
  crd(
    registryType,
    {
      type: 'object',
      required: ['host'],
      description: 'An image registry of the simulated world: how far, how fast, what it holds, who may pull.',
      properties: {
        host: text,
        latencyMs: number,
        megabytesPerSecond: { type: 'number', exclusiveMinimum: true, minimum: 0 },
        pullSecrets: { type: 'array', items: text },
        onlyListed: { type: 'boolean' },
        images: {
          type: 'object',
          additionalProperties: {
            type: 'object',
            properties: {
              megabytes: number,
              digest: text,
              missing: { type: 'boolean' },
              programs: { type: 'array', items: text },
            },
          },
        },
      },
    },
    [
      { name: 'Host', type: 'string', jsonPath: '.spec.host' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  ),
];
