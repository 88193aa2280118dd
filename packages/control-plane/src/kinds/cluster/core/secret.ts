import type { Secret } from '@fairlead/apimachinery';
import { configKey, type FieldError, fieldError, invalidEach } from '@fairlead/apimachinery';
import type { KindRules } from '../../../resource.ts';
import { immutable } from '../shape.ts';
import { decodedLength, maxDataBytes, validateFrozen } from './config-map.ts';
import { jsonObjectProblem } from './json-object.ts';
import { keyPairProblem } from './key-pair.ts';

const accountName = 'kubernetes.io/service-account.name';
const required = (key: string): FieldError => fieldError.required(`data[${key}]`);
const decoded = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('utf8');

function validateSecret(draft: Secret): FieldError[] {
  const { data = {} } = draft;
  const errors = Object.keys(data).flatMap((key) => invalidEach(`data[${key}]`, key, configKey(key)));
  const size = Object.values(data).reduce((sum, value) => sum + decodedLength(value), 0);
  if (size > maxDataBytes) errors.push(fieldError.tooLong('data', maxDataBytes));
  return [...errors, ...validateByType(draft, data)];
}

function validateByType(draft: Secret, data: Record<string, string>): FieldError[] {
  const has = (key: string): boolean => Object.hasOwn(data, key);
  switch (draft.type) {
    case 'kubernetes.io/service-account-token':
      if (draft.metadata.annotations?.[accountName]) return [];
      return [fieldError.required(`metadata.annotations[${accountName}]`)];
    case 'kubernetes.io/dockercfg':
      return validateJson(data, '.dockercfg');
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(data, '.dockerconfigjson');
    case 'kubernetes.io/basic-auth':
      return has('username') || has('password') ? [] : [required('username'), required('password')];
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required('ssh-privatekey')];
    case 'kubernetes.io/tls':
      return ['tls.crt', 'tls.key'].filter((key) => !has(key)).map(required);
    default:
      return [];
  }
}

function validateJson(data: Record<string, string>, key: string): FieldError[] {
  if (!Object.hasOwn(data, key)) return [required(key)];
  const problem = jsonObjectProblem(decoded(data[key]));
  return problem ? [fieldError.invalid(`data[${key}]`, '<secret contents redacted>', problem)] : [];
}

export const secretRules: KindRules<Secret> = {
  validate: (draft, context) => (context.operation === 'create' ? validateSecret(draft) : []),
  validateUpdate: (draft, old) => [
    ...immutable('type', draft.type, old.type),
    ...validateFrozen(draft, old, ['data']),
    ...validateSecret(draft),
  ],
  warnings(draft) {
    const { type, data = {} } = draft;
    if (type !== 'kubernetes.io/tls') return [];
    const problem = keyPairProblem(decoded(data['tls.crt']), decoded(data['tls.key']));
    return problem ? [problem] : [];
  },
  metadataOnUpdate: ['update', 'create'],
};
