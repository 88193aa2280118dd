import {
  apiError,
  decodeParsed,
  decodeProtobuf,
  goValue,
  type Json,
  type JsonObject,
  type ObjectSchema,
  schemaOf,
  type ValueOptions,
} from '@fairlead/apimachinery';
import type { Draft } from '../resource.ts';
import { mediaTypeOf, readDocument } from './document.ts';

export interface BodyOptions extends ValueOptions {
  /** The resource in the path of the request. A body may omit its kind and apiVersion. */
  readonly kind: string;
  readonly apiVersion: string;
}

/** The body of a create or a replace. Every error is a 4xx response, with the message of kube-apiserver. */
export function decodeBody(
  body: string | Uint8Array,
  contentType: string,
  schema: ObjectSchema,
  options: BodyOptions,
): { readonly draft: Draft; readonly warnings: readonly string[] } {
  const type = mediaTypeOf(contentType, options.custom);
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const document =
    type === 'protobuf' ? { value: decodeProtobuf(bytes, options) } : readDocument(bytes.toString(), type);
  if ('problem' in document) {
    const { problem } = document;
    throw unrecognised(options, type === 'json' ? `${noVersionOrKind}: ${problem}` : problem, bytes);
  }
  const misshapen = shapeProblem(document.value);
  if (misshapen) throw unrecognised(options, `${noVersionOrKind}: ${misshapen}`, bytes);
  const value = (document.value ?? {}) as JsonObject;
  const claimed = claimedKind(value, options);
  if ('problem' in claimed) throw unrecognised(options, claimed.problem, bytes);
  const refusal = options.custom ? customMismatch(claimed, options) : typedMismatch(claimed, options);
  if (refusal) throw refusal;
  const decoded = decodeParsed({ ...document, value }, schema, options);
  if ('problem' in decoded) throw cannotBeHandled(claimed, options, decoded.problem);
  const { draft } = decoded;
  draft.apiVersion = options.apiVersion;
  draft.kind = options.kind;
  draft.metadata ??= {} as Draft['metadata'];
  return decoded;
}

interface Claim {
  readonly kind: string;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
}

const noVersionOrKind = "couldn't get version/kind; json parse error";
const typeMeta = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** Null is an empty object. */
function shapeProblem(value: Json): string | undefined {
  if (typeof value === 'object' && !Array.isArray(value)) return undefined;
  return `json: cannot unmarshal ${goValue(value)} into Go value of type ${typeMeta}`;
}

function claimedKind(value: JsonObject, options: BodyOptions): Claim | { readonly problem: string } {
  for (const key of ['apiVersion', 'kind']) {
    const given = value[key] ?? '';
    if (typeof given === 'string') continue;
    const wrong = `json: cannot unmarshal ${goValue(given)} into Go struct field .${key} of type string`;
    return { problem: `${noVersionOrKind}: ${wrong}` };
  }
  const given = (value['apiVersion'] ?? '') as string;
  if (given.split('/').length > 2) return { problem: `unexpected GroupVersion string: ${given}` };
  if (options.custom && !value['kind']) return { problem: `Object 'Kind' is missing in '${JSON.stringify(value)}'` };
  const apiVersion = given === '' && !options.custom ? options.apiVersion : given;
  const kind = (value['kind'] as string | undefined) || options.kind;
  return { kind, apiVersion, ...splitVersion(apiVersion) };
}

function splitVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: apiVersion.slice(0, Math.max(slash, 0)), version: apiVersion.slice(slash + 1) };
}

/** Groups whose server supports only its own kinds. */
const ownSchemes: Readonly<Record<string, string>> = {
  'apiextensions.k8s.io': 'k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55',
  'apiregistration.k8s.io': 'k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:28',
};

function typedMismatch(claimed: Claim, options: BodyOptions): Error | undefined {
  const { group, version, kind, apiVersion } = claimed;
  if (apiVersion === options.apiVersion && kind === options.kind) return undefined;
  const served = splitVersion(options.apiVersion).group;
  const scheme = ownSchemes[served];
  if (!schemaOf(group, version, kind) || (scheme && group !== served)) {
    const place = `in scheme "${scheme ?? 'pkg/api/legacyscheme/scheme.go:30'}"`;
    return cannotBeHandled(claimed, options, `no kind "${kind}" is registered for version "${apiVersion}" ${place}`);
  }
  if (kind === options.kind) return versionMismatch(apiVersion, options);
  const target = splitVersion(options.apiVersion).group.split('.')[0] || 'core';
  const conversion = `converting (${version}.${kind}) to (${target}.${options.kind}): unknown conversion`;
  return cannotBeHandled(claimed, options, conversion);
}

function customMismatch({ kind, apiVersion }: Claim, options: BodyOptions): Error | undefined {
  if (apiVersion !== options.apiVersion) return versionMismatch(apiVersion || '/', options);
  if (kind === options.kind) return undefined;
  const { group } = splitVersion(options.apiVersion);
  const cause = {
    reason: 'FieldValueInvalid',
    message: `Invalid value: "${kind}": must be ${options.kind}`,
    field: 'kind',
  };
  const message = `${options.kind}.${group} "" is invalid: kind: ${cause.message}`;
  return apiError(422, 'Invalid', message, { group, kind: options.kind, causes: [cause] });
}

const badRequest = (message: string): Error => apiError(400, 'BadRequest', message);

const versionMismatch = (apiVersion: string, options: BodyOptions): Error =>
  badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${options.apiVersion})`,
  );

const cannotBeHandled = ({ kind, version }: Claim, options: BodyOptions, why: string): Error =>
  badRequest(`${kind} in version "${version}" cannot be handled as a ${options.kind}: ${why}`);

const unrecognised = (options: BodyOptions, why: string, bytes: Buffer): Error =>
  badRequest(`the object provided is unrecognized (must be of type ${options.kind}): ${why} (${summary(bytes)})`);

/** The start of the body: as text if it looks like an object, in hexadecimal otherwise. */
function summary(bytes: Buffer): string {
  if (bytes.length === 0) return '<empty>';
  const start = bytes.subarray(0, 30);
  const text = bytes[0] === 0x7b ? start.toString() : start.toString('hex');
  return bytes.length > 30 ? `${text} ...` : text;
}
