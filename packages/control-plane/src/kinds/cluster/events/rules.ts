import {
  dns1123Subdomain,
  type FieldError,
  fieldError,
  invalidEach,
  type KubeObject,
  nameRules,
  qualifiedName,
} from '@fairlead/apimachinery';
import { eventConversion } from '../../../catalogue/event-conversion.ts';
import { refuse } from '../../../errors.ts';
import { validateObjectMeta } from '../../../metadata/validate.ts';
import type { Draft, KindRules } from '../../../resource.ts';
import { immutable, same } from '../shape.ts';
import type { CoreEvent } from './types.ts';

/** The rules of all events. Without `eventTime` it is a legacy event, with few rules. */
function validateEvent(event: CoreEvent, controllerField: string): FieldError[] {
  const namespace = event.metadata.namespace ?? '';
  return [
    ...(event.eventTime ? validateTimed(event, namespace, controllerField) : validateUntimed(event, namespace)),
    ...invalidEach('namespace', namespace, dns1123Subdomain(namespace)),
  ];
}

const mismatch = (event: CoreEvent): FieldError[] => [
  fieldError.invalid(
    'involvedObject.namespace',
    event.involvedObject?.namespace ?? '',
    'does not match event.namespace',
  ),
];

function validateUntimed(event: CoreEvent, namespace: string): FieldError[] {
  const about = event.involvedObject?.namespace;
  if (!about) return namespace === '' || namespace === 'default' ? [] : mismatch(event);
  return about === namespace ? [] : mismatch(event);
}

function validateTimed(event: CoreEvent, namespace: string, controllerField: string): FieldError[] {
  const { reportingComponent = '', reportingInstance = '', action = '', reason = '', message = '' } = event;
  const errors: FieldError[] = [];
  if (!event.involvedObject?.namespace && namespace !== 'default' && namespace !== 'kube-system') {
    errors.push(...mismatch(event));
  }
  if (reportingComponent === '') errors.push(fieldError.required(controllerField));
  errors.push(...invalidEach(controllerField, reportingComponent, qualifiedName(reportingComponent)));
  for (const [field, value] of Object.entries({ reportingInstance, action, reason })) {
    if (value === '') errors.push(fieldError.required(field));
    errors.push(...tooLong(field, value, 128));
  }
  return [...errors, ...tooLong('message', message, 1024)];
}

const tooLong = (field: string, value: string, max: number): FieldError[] =>
  Buffer.byteLength(value) > max ? [fieldError.invalid(field, '', `can have at most ${max} characters`)] : [];

/** events.k8s.io/v1 requires the new fields and rejects the old ones. */
function validateNewStyle(event: CoreEvent): FieldError[] {
  const unset = (field: string, isSet: boolean): FieldError[] =>
    isSet ? [fieldError.invalid(field, '', 'needs to be unset')] : [];
  return [
    ...validateSeries(event),
    ...(event.eventTime ? [] : [fieldError.required('eventTime')]),
    ...(event.type === 'Normal' || event.type === 'Warning'
      ? []
      : [fieldError.invalid('type', '', `has invalid value: ${event.type ?? ''}`)]),
    ...unset('firstTimestamp', Boolean(event.firstTimestamp)),
    ...unset('lastTimestamp', Boolean(event.lastTimestamp)),
    ...unset('count', Boolean(event.count)),
    ...unset('source', Boolean(event.source?.component || event.source?.host)),
  ];
}

function validateSeries({ series }: CoreEvent): FieldError[] {
  if (!series) return [];
  return [
    ...((series.count ?? 0) < 2 ? [fieldError.invalid('series.count', '', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [fieldError.required('series.lastObservedTime')]),
  ];
}

/** Only the series of an event can change. `reason` is checked twice, as in kube-apiserver. */
const frozen = [
  ['involvedObject', 'involvedObject'],
  ['reason', 'reason'],
  ['message', 'message'],
  ['source', 'source'],
  ['firstTimestamp', 'firstTimestamp'],
  ['lastTimestamp', 'lastTimestamp'],
  ['count', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingComponent'],
  ['reportingInstance', 'reportingInstance'],
] as const;

export const coreEventRules: KindRules<CoreEvent> = {
  validate: (draft) => validateEvent(draft, 'reportingComponent'),
  validateName: nameRules.pathSegment,
  anyFinalizer: true,
  metadataLast: true,
  metadataOnUpdate: [],
};

/** Events are core objects for the server regardless of their group, also in error messages. */
function refuseIfAny(draft: Draft, errors: readonly FieldError[]): FieldError[] {
  if (errors.length > 0) throw refuse.invalid({ group: '', kind: 'Event' }, draft.metadata.name, errors);
  return [];
}

export const eventsEventRules: KindRules<Draft> = {
  validate(draft, context) {
    if (context.operation !== 'create') return [];
    const event = asCore(draft);
    return refuseIfAny(draft, [
      ...validateEvent(event, 'reportingController'),
      ...validateObjectMeta(draft, { namespaced: true }),
      ...validateNewStyle(event),
    ]);
  },
  validateUpdate(draft, old) {
    const [event, before] = [asCore(draft), asCore(old)];
    return refuseIfAny(draft, [
      ...validateEvent(event, 'reportingController'),
      ...(same(event.series, before.series) ? [] : validateSeries(event)),
      ...frozen.flatMap(([field, name]) => immutable(field, event[name], before[name])),
    ]);
  },
};

function asCore(draft: Draft): CoreEvent {
  const event: KubeObject = eventConversion.toStorage(draft);
  return event;
}
