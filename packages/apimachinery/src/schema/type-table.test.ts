import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDescriptions } from './notation.ts';
import type { Field, ObjectSchema } from './schema.ts';
import { typeGroups } from './type-groups.ts';
import { kindOfType, schemaOf, typeNamed, typeNames } from './type-table.ts';

const core = (name: string): ObjectSchema => typeNamed(`io.k8s.api.core.v1.${name}`);
const field = (type: ObjectSchema, name: string): Field => {
  const found = type.fields.get(name);
  assert.ok(found, `${type.name} has ${name}`);
  return found;
};

test('every type and field of the table can be read, and every reference resolves', () => {
  let fields = 0;
  for (const name of typeNames()) {
    for (const each of typeNamed(name).fields.values()) {
      assert.ok(each.schema.type, `${name}.${each.name}`);
      fields++;
    }
  }
  assert.ok(fields > 2000, `${fields} fields`);
});

test('protobuf numbers are unique within a message', () => {
  for (const name of typeNames()) {
    const type = typeNamed(name);
    const numbers = [...type.fields.values()].flatMap((each) => each.number ?? []);
    numbers.push(...(type.inlined ?? []).map((part) => part.number));
    assert.equal(new Set(numbers).size, numbers.length, name);
  }
});

test('container ports merge by containerPort in a strategic patch and by containerPort and protocol in an apply', () => {
  const ports = field(core('Container'), 'ports');
  assert.deepEqual(ports.patch, { strategy: ['merge'], mergeKey: 'containerPort' });
  assert.equal(ports.schema.type === 'list' && ports.schema.listType, 'map');
  assert.deepEqual(ports.schema.type === 'list' && ports.schema.mapKeys, ['containerPort', 'protocol']);
  assert.equal(field(core('ContainerPort'), 'protocol').default, 'TCP');
  assert.equal(field(core('ContainerPort'), 'containerPort').default, 0);
});

test('lists are atomic by default, and objects and maps are not', () => {
  const spec = core('PodSpec');
  const tolerations = field(spec, 'tolerations').schema;
  assert.equal(tolerations.type === 'list' && tolerations.listType, 'atomic');
  const finalizers = field(typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'), 'finalizers');
  assert.deepEqual(finalizers.schema, { type: 'list', items: { type: 'string' }, listType: 'set' });
  assert.deepEqual(finalizers.patch, { strategy: ['merge'] });
  assert.deepEqual(field(spec, 'nodeSelector').schema, { type: 'map', values: { type: 'string' }, atomic: true });
  assert.equal(core('ObjectReference').atomic, true);
  const claimRef = field(core('PersistentVolumeSpec'), 'claimRef').schema;
  assert.equal(claimRef.type === 'object' && claimRef.atomic, false, 'granular here although its type is atomic');
});

test('an inlined struct has its fields inline in JSON and is a separate message in protobuf', () => {
  const volume = core('Volume');
  assert.equal(field(volume, 'name').number, 1);
  assert.equal(field(volume, 'emptyDir').number, undefined);
  assert.deepEqual(
    volume.inlined?.map((part) => [part.number, part.schema.name]),
    [[2, 'io.k8s.api.core.v1.VolumeSource']],
  );
  assert.equal(field(core('VolumeSource'), 'emptyDir').number, 2);
});

test('a type may contain itself', () => {
  const props = typeNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps');
  const properties = field(props, 'properties').schema;
  assert.equal(properties.type === 'map' && properties.values, props);
});

test('patch strategies are read with and without keys', () => {
  assert.deepEqual(field(core('PodSpec'), 'volumes').patch, { strategy: ['merge', 'retainKeys'], mergeKey: 'name' });
  const deployment = typeNamed('io.k8s.api.apps.v1.DeploymentSpec');
  assert.deepEqual(field(deployment, 'strategy').patch, { strategy: ['retainKeys'] });
});

test('kinds are found by group, version and kind, including lists and shared kinds', () => {
  assert.equal(schemaOf('', 'v1', 'Pod')?.name, 'io.k8s.api.core.v1.Pod');
  assert.equal(schemaOf('apps', 'v1', 'DeploymentList')?.name, 'io.k8s.api.apps.v1.DeploymentList');
  assert.equal(schemaOf('', 'v1', 'Status')?.name, 'io.k8s.apimachinery.pkg.apis.meta.v1.Status');
  assert.equal(schemaOf('policy', 'v1', 'DeleteOptions')?.name, 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions');
  assert.equal(schemaOf('', 'v1', 'PodSpec'), undefined, 'no kind');
  assert.equal(schemaOf('apps', 'v2', 'Deployment'), undefined);
  assert.deepEqual(kindOfType('io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler'), {
    group: 'autoscaling',
    version: 'v2',
    kind: 'HorizontalPodAutoscaler',
  });
});

test('fields serialized when empty, and pointers, follow the Go types', () => {
  const condition = core('PodCondition');
  assert.equal(field(condition, 'lastProbeTime').always, true);
  assert.equal(field(condition, 'reason').always, undefined);
  const replicas = field(typeNamed('io.k8s.api.apps.v1.DeploymentSpec'), 'replicas');
  assert.deepEqual([replicas.pointer, replicas.always], [true, undefined]);
});

test('descriptions refer to existing types, and every kind has one', () => {
  const known = new Set(typeNames());
  const groups = Map.groupBy(typeGroups, (group) => group.descriptions);
  for (const [text, sharing] of groups) {
    for (const [name, { fields }] of readDescriptions(text)) {
      const types = sharing.map((group) => `${group.prefix}.${name}`).filter((each) => known.has(each));
      assert.ok(types.length, name);
      for (const each of fields.keys()) {
        assert.ok(
          types.some((type) => typeNamed(type).fields.has(each)),
          `${name}.${each}`,
        );
      }
    }
  }
  for (const name of known) if (kindOfType(name)) assert.ok(typeNamed(name).description || /Options$/.test(name), name);
});
