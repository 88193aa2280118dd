import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonSchema } from '@fairlead/apimachinery';
import { definition } from '../../test/support/sample-definition.ts';
import type { RuleContext } from '../resource.ts';
import { crdRules } from './crd-rules.ts';
import { nextStatus } from './crd-status.ts';
import type { Definition, Version } from './definition.ts';
import { validateDefinition, validateDefinitionUpdate } from './validate-definition.ts';

const fields = (crd: Definition): string[] => validateDefinition(crd).map((error) => `${error.reason} ${error.field}`);
const base = 'spec.validation.openAPIV3Schema';
const within = (schema: JsonSchema): string[] =>
  fields(definition({ type: 'object', properties: { v: schema } })).map((text) =>
    text.replace(`${base}.properties[v]`, 'v'),
  );

test('a minimal CRD is valid', () => {
  assert.deepEqual(fields(definition({ type: 'object', properties: { spec: { type: 'object' } } })), []);
});

test('names, versions and keywords that are empty or invalid are rejected with their path', () => {
  const plain = definition({ type: 'object' });
  const named = (names: object): Definition => ({
    ...plain,
    spec: { ...plain.spec, names: { ...plain.spec.names, ...names } },
  });
  assert.deepEqual(fields(named({ shortNames: [''] })), ['FieldValueInvalid spec.names.shortNames[0]']);
  assert.deepEqual(fields(named({ categories: [''] })), ['FieldValueInvalid spec.names.categories[0]']);
  const [version] = plain.spec.versions as [Version];
  const called = { ...plain, spec: { ...plain.spec, versions: [{ ...version, name: 'V!' }] } };
  assert.deepEqual(fields({ ...called, status: { storedVersions: ['V!'] } } as Definition).sort(), [
    'FieldValueInvalid spec.version',
    'FieldValueInvalid spec.versions[0].name',
  ]);
  assert.deepEqual(fields(definition({ type: 'object', $schema: 'x' })), [`FieldValueInvalid ${base}`]);
  const emptyListType = within({ type: 'object', allOf: [{ 'x-kubernetes-list-type': '' } as JsonSchema] });
  assert.ok(emptyListType.includes('FieldValueForbidden v.allOf[0].x-kubernetes-list-type'));
});

test('schemas that are not structural are refused', () => {
  const cases: [schema: JsonSchema, expected: string[]][] = [
    [{}, ['FieldValueRequired v.type']],
    [{ type: 'array' }, ['FieldValueRequired v.items']],
    [{ type: 'array', items: {} }, ['FieldValueRequired v.items.type']],
    [{ type: 'text' }, ['FieldValueNotSupported v.type']],
    [{ type: 'string', pattern: '(' }, ['FieldValueInvalid v.pattern']],
    [{ type: 'integer', anyOf: [{ type: 'integer' }] }, ['FieldValueForbidden v.anyOf[0].type']],
    [
      { type: 'object', allOf: [{ description: 'x', default: 1, nullable: true }] },
      [
        'FieldValueForbidden v.allOf[0].default',
        'FieldValueForbidden v.allOf[0].description',
        'FieldValueForbidden v.allOf[0].nullable',
      ],
    ],
    [{ 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] }, []],
    [{ 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }] }, []],
    [
      { 'x-kubernetes-int-or-string': true, 'x-kubernetes-preserve-unknown-fields': true },
      ['FieldValueInvalid v.x-kubernetes-preserve-unknown-fields'],
    ],
    [
      { type: 'string', 'x-kubernetes-embedded-resource': true },
      ['FieldValueRequired v.properties', 'FieldValueInvalid v.type'],
    ],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'string' } },
      ['FieldValueForbidden v.additionalProperties'],
    ],
    [{ type: 'array', uniqueItems: true, items: { type: 'string' } }, ['FieldValueForbidden v.uniqueItems']],
    [{ $ref: '#/x' }, ['FieldValueForbidden v.$ref']],
    [{ type: 'object', patternProperties: { a: { type: 'string' } } }, ['FieldValueForbidden v.patternProperties']],
    [
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': false },
      ['FieldValueInvalid v.x-kubernetes-preserve-unknown-fields'],
    ],
    [{ type: 'integer', default: 'x' }, ['FieldValueTypeInvalid v.default']],
    [{ type: 'object', default: { z: 1 } }, ['FieldValueInvalid v.default']],
    [
      { type: 'string', default: 'b', 'x-kubernetes-validations': [{ rule: 'self == "a"' }] },
      ['FieldValueInvalid v.default'],
    ],
  ];
  for (const [schema, expected] of cases) assert.deepEqual(within(schema), expected, JSON.stringify(schema));
});

test('list and map types must match their schema', () => {
  const item: JsonSchema = {
    type: 'object',
    required: ['k'],
    properties: { k: { type: 'string' }, o: { type: 'object' } },
  };
  const list = (more: JsonSchema): JsonSchema => ({
    type: 'array',
    'x-kubernetes-list-type': 'map',
    items: item,
    ...more,
  });
  const cases: [schema: JsonSchema, expected: string[]][] = [
    [list({ 'x-kubernetes-list-map-keys': ['k'] }), []],
    [list({}), ['FieldValueRequired v.x-kubernetes-list-map-keys']],
    [list({ 'x-kubernetes-list-map-keys': ['z'] }), ['FieldValueInvalid v.x-kubernetes-list-map-keys']],
    [list({ 'x-kubernetes-list-map-keys': ['k', 'k'] }), ['FieldValueInvalid v.x-kubernetes-list-map-keys']],
    [
      list({ 'x-kubernetes-list-map-keys': ['k', 'o'] }),
      ['FieldValueInvalid v.items.properties[o].type', 'FieldValueRequired v.items.properties[o].default'],
    ],
    [
      { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-map-keys': ['k'] },
      ['FieldValueRequired v.x-kubernetes-list-type'],
    ],
    [
      { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'object' } },
      ['FieldValueInvalid v.items.x-kubernetes-map-type'],
    ],
    [
      { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string', nullable: true } },
      ['FieldValueForbidden v.items.nullable'],
    ],
    [
      { type: 'array', 'x-kubernetes-list-type': 'heap', items: { type: 'string' } },
      ['FieldValueNotSupported v.x-kubernetes-list-type'],
    ],
    [{ type: 'string', 'x-kubernetes-map-type': 'atomic' }, ['FieldValueInvalid v.type']],
  ];
  for (const [schema, expected] of cases) assert.deepEqual(within(schema), expected, JSON.stringify(schema));
});

test('rules are compiled against the schema that contains them', () => {
  const rule = (more: JsonObject, schema: JsonSchema = { type: 'string' }): string[] =>
    within({ ...schema, 'x-kubernetes-validations': [more as never] }).map((text) =>
      text.replace('v.x-kubernetes-validations[0].', ''),
    );
  assert.deepEqual(rule({ rule: 'self == "a"' }), []);
  assert.deepEqual(rule({ rule: 'self.x == 1' }), ['FieldValueInvalid rule']);
  assert.deepEqual(rule({ rule: 'self +' }), ['FieldValueInvalid rule']);
  assert.deepEqual(rule({ rule: 'size(self)' }), ['FieldValueInvalid rule']);
  assert.deepEqual(rule({ rule: ' ' }), ['FieldValueRequired rule']);
  assert.deepEqual(rule({ rule: 'true', messageExpression: '1' }), ['FieldValueInvalid messageExpression']);
  assert.deepEqual(rule({ rule: 'true', reason: 'Other' }), ['FieldValueNotSupported reason']);
  assert.deepEqual(rule({ rule: 'true', fieldPath: '.a' }), ['FieldValueInvalid fieldPath']);
  assert.deepEqual(
    rule(
      { rule: 'true', fieldPath: ".a['b.c']" },
      { type: 'object', properties: { a: { type: 'object', additionalProperties: { type: 'string' } } } },
    ),
    [],
  );
  assert.deepEqual(rule({ rule: 'true', optionalOldSelf: true }), ['FieldValueInvalid optionalOldSelf']);
  assert.deepEqual(rule({ rule: 'self == oldSelf' }), []);
  const inList = within({
    type: 'array',
    maxItems: 5,
    items: { type: 'string', maxLength: 5, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
  });
  assert.deepEqual(inList, ['FieldValueInvalid v.items.x-kubernetes-validations[0].rule']);
});

test('rules that could exceed the cost limit are rejected, unless the schema has limits', () => {
  const pairs: JsonSchema = {
    type: 'array',
    items: { type: 'string' },
    'x-kubernetes-validations': [{ rule: 'self.all(x, self.exists(y, x == y))' }],
  };
  const at = 'FieldValueForbidden v.x-kubernetes-validations[0].rule';
  // The cost also exceeds the limit of the whole schema: both the rule and the schema are reported.
  const asAWhole = [at, at, `FieldValueForbidden ${base}`];
  assert.deepEqual(within(pairs), asAWhole);
  assert.deepEqual(within({ ...pairs, maxItems: 100 }), asAWhole);
  assert.deepEqual(within({ ...pairs, maxItems: 1000, items: { type: 'string', maxLength: 20 } }), [at]);
  assert.deepEqual(within({ ...pairs, maxItems: 100, items: { type: 'string', maxLength: 64 } }), []);
  const crd = definition({ type: 'object', properties: { v: pairs } });
  // An accepted value is not rejected when something else changes.
  assert.deepEqual(validateDefinitionUpdate(structuredClone(crd), crd), []);
});

test('isURL costs one step, as in kube-apiserver, and url one per character', () => {
  const list = (rule: string): string[] =>
    within({ type: 'array', maxItems: 100, items: { type: 'string', 'x-kubernetes-validations': [{ rule }] } });
  assert.deepEqual(list("isURL(self) && self.startsWith('https://')"), []);
  assert.deepEqual(list("url(self).getScheme() == 'https'"), [
    'FieldValueForbidden v.items.x-kubernetes-validations[0].rule',
  ]);
});

test('rules within the limit may exceed it together, and the four most expensive are named', () => {
  const list = (maxItems: number): JsonSchema => ({
    type: 'array',
    maxItems,
    items: { type: 'string', maxLength: 20 },
    'x-kubernetes-validations': [{ rule: 'self.all(x, self.exists(y, x == y))' }],
  });
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p${at}`, list(650 + at)]));
  const named = fields(definition({ type: 'object', properties }));
  const rule = (name: string) => `FieldValueForbidden ${base}.properties[${name}].x-kubernetes-validations[0].rule`;
  assert.deepEqual(named, [...['p19', 'p18', 'p17', 'p16'].map(rule), `FieldValueForbidden ${base}`]);
});

test('the length of a converted string is not bounded, in rules and in messages', () => {
  const rules = (rule: object): string[] =>
    within({ type: 'integer', 'x-kubernetes-validations': [rule as { rule: string }] }).map((text) =>
      text.replace('FieldValueForbidden v.x-kubernetes-validations[0].', ''),
    );
  const whole = `FieldValueForbidden ${base}`;
  assert.deepEqual(rules({ rule: 'string(self).matches("^[0-9]+$")' }), ['rule', 'rule', whole]);
  assert.deepEqual(rules({ rule: 'string(self) == "1"' }), []);
  assert.deepEqual(rules({ rule: 'self > 0', messageExpression: '"got " + string(self)' }), [
    'messageExpression',
    'messageExpression',
    whole,
  ]);
  assert.deepEqual(rules({ rule: 'self > 0', messageExpression: '"got %d".format([self])' }), []);
});

test('a rule with unsupported syntax is accepted with a warning, and shown in a condition', () => {
  const crd = definition({
    type: 'object',
    properties: { v: { type: 'string', 'x-kubernetes-validations': [{ rule: '[?self].size() == 1' }] } },
  });
  assert.deepEqual(fields(crd), []);
  const text = 'v: the rule "[?self].size() == 1" is not evaluated: optional entries of literals are not supported';
  assert.deepEqual(crdRules.warnings?.(crd, undefined), [text]);
  const condition = nextStatus(crd, [], 'T')?.conditions?.find((c) => c.type === 'ValidationRulesEvaluated');
  assert.deepEqual(condition, {
    type: 'ValidationRulesEvaluated',
    status: 'False',
    lastTransitionTime: 'T',
    reason: 'RulesNotSupported',
    message: text,
  });
});

test('problems common to all versions are reported once, others for their version', () => {
  const crd = definition({ type: 'string' });
  const second = (schema: JsonSchema, more: Partial<Version> = {}): Version => ({
    name: 'v2',
    served: true,
    storage: false,
    schema: { openAPIV3Schema: schema },
    ...more,
  });
  crd.spec.versions.push(second({ type: 'string' }));
  assert.deepEqual(fields(crd), [`FieldValueInvalid ${base}.type`]);
  crd.spec.versions[1] = second(
    { type: 'object' },
    { additionalPrinterColumns: [{ name: '', type: 'x', jsonPath: 'y' }] },
  );
  assert.deepEqual(fields(crd), [
    'FieldValueInvalid spec.versions[0].schema.openAPIV3Schema.type',
    'FieldValueRequired spec.versions[1].additionalPrinterColumns[0].name',
    'FieldValueInvalid spec.versions[1].additionalPrinterColumns[0].type',
    'FieldValueInvalid spec.versions[1].additionalPrinterColumns[0].JSONPath',
  ]);
});

test('names, group, scope and versions are validated', () => {
  const changed = (change: (crd: Definition) => void): string[] => {
    const crd = definition({ type: 'object' });
    change(crd);
    return fields(crd);
  };
  const cases: [change: (crd: Definition) => void, expected: string[]][] = [
    [(crd) => (crd.metadata.name = 'x.example.com'), ['FieldValueInvalid metadata.name']],
    [(crd) => (crd.spec.scope = 'Galaxy'), ['FieldValueNotSupported spec.scope']],
    [(crd) => (crd.spec.names.kind = 'a_b'), ['FieldValueInvalid spec.names.kind']],
    [(crd) => (crd.spec.names.listKind = 'Widget'), ['FieldValueInvalid spec.names.listKind']],
    [(crd) => (crd.spec.names.shortNames = ['ok', 'Not']), ['FieldValueInvalid spec.names.shortNames[1]']],
    [(crd) => (crd.spec.versions[0]!.storage = false), ['FieldValueInvalid spec.versions']],
    [
      (crd) => (crd.spec.versions[0]!.name = 'V1'),
      [
        'FieldValueInvalid spec.versions[0].name',
        'FieldValueInvalid spec.version',
        'FieldValueInvalid status.storedVersions',
        'FieldValueInvalid status.storedVersions[0]',
      ],
    ],
    [
      (crd) => (crd.spec.versions[0]!.deprecationWarning = 'x'),
      ['FieldValueInvalid spec.versions[0].deprecationWarning'],
    ],
    [(crd) => delete crd.spec.versions[0]!.schema, ['FieldValueRequired spec.versions[0].schema.openAPIV3Schema']],
    [(crd) => (crd.spec.preserveUnknownFields = true), ['FieldValueInvalid spec.preserveUnknownFields']],
    [
      (crd) => (crd.spec.conversion = { strategy: 'Webhook' }),
      [
        'FieldValueRequired spec.conversion.webhookClientConfig',
        'FieldValueRequired spec.conversion.conversionReviewVersions',
      ],
    ],
    [
      (crd) => (crd.spec.versions[0]!.subresources = { scale: { specReplicasPath: '.status.x' } }),
      [
        'FieldValueInvalid spec.subresources.scale.specReplicasPath',
        'FieldValueRequired spec.subresources.scale.statusReplicasPath',
      ],
    ],
    [
      (crd) => Object.assign(crd, { metadata: { name: 'widgets.x.k8s.io' }, spec: { ...crd.spec, group: 'x.k8s.io' } }),
      ['FieldValueRequired metadata.annotations[api-approved.kubernetes.io]'],
    ],
  ];
  for (const [change, expected] of cases) assert.deepEqual(changed(change), expected, String(change));
});

test('an update cannot change names and scope that storage depends on', () => {
  const old = definition({ type: 'object' });
  old.status!.conditions = [{ type: 'Established', status: 'True' }];
  const next = structuredClone(old);
  next.spec.scope = 'Cluster';
  next.spec.names.kind = 'Gadget';
  next.spec.names.plural = 'gadgets';
  assert.deepEqual(
    validateDefinitionUpdate(next, old).map((error) => error.field),
    ['spec.scope', 'spec.names.kind', 'spec.names.plural'],
  );
  const renamed = structuredClone(old);
  renamed.spec.versions[0]!.name = 'v2';
  crdRules.prepareUpdate?.(renamed, old, { subresource: '' } as RuleContext);
  assert.deepEqual(renamed.status!.storedVersions, ['v1', 'v2']);
  assert.deepEqual(
    validateDefinitionUpdate(renamed, old).map((error) => error.field),
    ['status.storedVersions[0]'],
  );
});

test('a CRD in a community group has a condition about its API approval', () => {
  const condition = (annotation: string) => {
    const crd = definition({ type: 'object' });
    crd.spec.group = 'x.k8s.io';
    crd.metadata = { name: 'widgets.x.k8s.io', annotations: { 'api-approved.kubernetes.io': annotation } };
    const [first] = nextStatus(crd, [], 'T')!.conditions!;
    return [fields(crd).length, first!.status, first!.reason, first!.message];
  };
  assert.deepEqual(condition('https://a.b/pull/1'), [
    0,
    'True',
    'ApprovedAnnotation',
    'approved in https://a.b/pull/1',
  ]);
  assert.deepEqual(condition('unapproved, test'), [
    0,
    'False',
    'UnapprovedAnnotation',
    'not approved: "unapproved, test"',
  ]);
  assert.deepEqual(condition('yes').slice(0, 3), [1, 'False', 'InvalidAnnotation']);
});

test('a name conflict is resolved in favour of the first CRD, and the name is free again after its deletion', () => {
  const first = definition({ type: 'object' });
  first.status = nextStatus(first, [], 'T1')!;
  assert.deepEqual(
    first.status.conditions?.map((c) => [c.type, c.status, c.reason]),
    [
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ],
  );
  assert.equal(nextStatus(first, [first], 'T2'), undefined);

  const second = definition({ type: 'object' });
  second.metadata.name = 'others.example.com';
  second.spec.names = { plural: 'others', kind: 'Widget', singular: 'other', listKind: 'OtherList' };
  second.status = nextStatus(second, [first], 'T2')!;
  assert.deepEqual(
    second.status.conditions?.map((c) => [c.type, c.status, c.reason, c.message]),
    [
      ['NamesAccepted', 'False', 'KindConflict', '"Widget" is already in use'],
      ['Established', 'False', 'NotAccepted', 'not all names are accepted'],
    ],
  );
  assert.deepEqual(second.status.acceptedNames, {
    plural: 'others',
    singular: 'other',
    kind: '',
    listKind: 'OtherList',
  });
  const freed = nextStatus(second, [second], 'T3')!;
  assert.deepEqual(
    freed.conditions?.map((c) => [c.type, c.status, c.lastTransitionTime]),
    [
      ['NamesAccepted', 'True', 'T3'],
      ['Established', 'True', 'T3'],
    ],
  );
});
