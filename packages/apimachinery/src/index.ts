export { coversUrl, type PolicyRule, type RoleRef, type Subject, uncoveredRules } from './access/policy-rule.ts';
export { closest } from './closest.ts';
export { elementAt, getOrCreate, memoized, must } from './collections.ts';
export { readBase64 } from './decode/base64.ts';
export { isCanonical } from './decode/canonical.ts';
export { decodeParsed, decodeValue, type ValueOptions } from './decode/decode-value.ts';
export type { Document } from './decode/document.ts';
export { duplicateFields } from './decode/duplicate-fields.ts';
export { countMembers, surveyJson } from './decode/json-survey.ts';
export { describeSyntaxError } from './decode/json-syntax.ts';
export { normalize } from './decode/normalize.ts';
export { setMember } from './decode/set-member.ts';
export { readTime } from './decode/time.ts';
export { goValue, TypeMismatch } from './decode/type-mismatch.ts';
export { decodeTyped } from './decode/typed.ts';
export { labelNamespaceWithName } from './defaulting/cluster.ts';
export { labelLikeTemplate } from './defaulting/jobs.ts';
export { mirrorServiceAccount } from './defaulting/pod-spec.ts';
export { applyDefaults, defaultedKinds, defaultsFor, type KindDefaults } from './defaulting/table.ts';
export { setTemplateGeneration, templateGenerationOf } from './defaulting/workloads.ts';
export { durationProblem, formatDuration, formatGoDuration, parseDuration, parseGoDuration } from './duration.ts';
export { messageOf } from './error-message.ts';
export { GlobError, globMatcher } from './glob/glob.ts';
export { BadPattern, pathMatcher } from './glob/path-pattern.ts';
export {
  canonicalImageName,
  canonicalRepository,
  dockerHub,
  type ImageReference,
  ImageReferenceError,
  type ImageReferenceParts,
  imageReferenceProblem,
  isImageDigest,
  isImageTag,
  parseImageReference,
  repositoryName,
  splitImageReference,
  tryParseImageReference,
} from './image-reference.ts';
export { compareBytes, compareKeys, compareNamespaces } from './json/byte-order.ts';
export { escapeHtml } from './json/escape-html.ts';
export { at, isJsonObject, listAt, numberAt, objectAt, objectsAt, stringsAt, textAt } from './json/json-at.ts';
export { type JsonPath, parseJsonPath } from './json/json-path.ts';
export {
  copyJson,
  equalJson,
  isObject,
  type Json,
  type JsonObject,
  maxDepth,
  own,
  put,
  toJson,
} from './json/json-value.ts';
export {
  type ConfigMap,
  type Container,
  type ContainerStatus,
  type Namespace,
  type Node,
  type NodeSelectorRequirement,
  type NodeSelectorTerm,
  type Pod,
  type PodSpec,
  podSpecOf,
  type Secret,
  type ServiceAccount,
  secretValue,
  type Taint,
  type Toleration,
  type Workload,
} from './kinds/core.ts';
export {
  configMapType,
  crdType,
  cronJobType,
  daemonSetType,
  deploymentType,
  eventType,
  jobType,
  leaseType,
  namespaceType,
  nodeType,
  podType,
  replicaSetType,
  secretType,
  serviceAccountType,
  serviceType,
  statefulSetType,
} from './kinds/resource-types.ts';
export {
  ApiError,
  apiError,
  badRequest,
  find,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isNotFound,
  isUnauthorized,
  isUnknownKind,
  type StatusReason,
} from './meta/api-error.ts';
export { type Condition, findCondition, isConditionTrue, withTransitionTime } from './meta/condition.ts';
export {
  apiVersionOf,
  isKubeObject,
  type KubeObject,
  keyOf,
  type ManagedFieldsEntry,
  type ObjectKey,
  type ObjectMeta,
  type OwnerReference,
  parseKey,
  type ResourceType,
  type Unstructured,
  uidOf,
  unstructured,
} from './meta/object.ts';
export type { Status, StatusCause } from './meta/status.ts';
export { formatMicroTime, formatTime, parseTime } from './meta/time.ts';
export { applyJsonPatch, applyMergePatch, applyStrategicPatch } from './patch/apply-patch.ts';
export { goJsonKind, goQuote } from './patch/go-format.ts';
export { mergePatch } from './patch/merge-patch.ts';
export { type ThreeWay, threeWayMergePatch, threeWayStrategicPatch } from './patch/three-way-patch.ts';
export { decodeMessage, decodeProtobuf } from './protobuf/decode.ts';
export { encodeMessage } from './protobuf/encode.ts';
export { type ExpectedKind, isEnvelope, protobufType } from './protobuf/envelope.ts';
export { encodeProtobuf, encodeWatchFrame, hasProtobuf } from './protobuf/frames.ts';
export { WireReader } from './protobuf/wire-reader.ts';
export { WireWriter } from './protobuf/wire-writer.ts';
export {
  addQuantities,
  compareQuantity,
  formatQuantity,
  isQuantity,
  milliValue,
  parseQuantity,
  quantityValue,
  subtractQuantity,
} from './quantity.ts';
export { imageTag, pullPolicyFor } from './resources/image-tag.ts';
export { containerLimits, containerRequests, podAsk, podLimits, podRequests } from './resources/pod-resources.ts';
export { addResources, maxResources, roundUpToMilli } from './resources/resource-list.ts';
export { isHugePages, isNative, isPodLevel, mayOvercommit } from './resources/resource-names.ts';
export { applySchema } from './schema/apply-schema.ts';
export type { JsonSchema, ValidationRule } from './schema/json-schema.ts';
export { type FieldText, readFields, readTypes, type TypeText } from './schema/notation.ts';
export type { Field, ListSchema, ObjectSchema, ScalarSchema, Schema } from './schema/schema.ts';
export { childSchema, type Structural, spineHas, structural } from './schema/structural.ts';
export { kindOfType, schemaOf, typeNamed, typeNameOf, typeNames } from './schema/type-table.ts';
export { type FieldSelector, parseFieldSelector } from './selectors/field-selector.ts';
export { formatSelector, parseLabelSelector, type Selector, selectorFromObject } from './selectors/label-selector.ts';
export { applyConfiguration } from './structured-merge/apply-configuration.ts';
export { compare } from './structured-merge/compare.ts';
export { ownableAt } from './structured-merge/endpoint-fields.ts';
export { difference, noFields, union } from './structured-merge/field-set.ts';
export { fieldsOf } from './structured-merge/fields-of.ts';
export { readManagers } from './structured-merge/managers.ts';
export { merge } from './structured-merge/merge.ts';
export type { Convert } from './structured-merge/ownership.ts';
export { removeFields } from './structured-merge/remove.ts';
export type { ResetFields } from './structured-merge/reset-fields.ts';
export { parentManagedFields, scaleManagedFields } from './structured-merge/scale-fields.ts';
export { shapeOf } from './structured-merge/shape.ts';
export { settledManagedFields } from './structured-merge/timestamps.ts';
export { updateManagedFields } from './structured-merge/update-managed-fields.ts';
export {
  type AllowedNetworks,
  type NetworkKind,
  networkKindOf,
  networkKinds,
  parseAllowedNetworks,
} from './urls/network-kind.ts';
export { permissionPattern, permissionText } from './urls/permission-pattern.ts';
export { repositoryLocation } from './urls/repository-location.ts';
export {
  formatRepositoryUrl,
  type ParsedRepositoryUrl,
  parseRepositoryUrl,
  type RepositoryUrl,
} from './urls/repository-url.ts';
export {
  aggregateMessages,
  describe,
  type FieldError,
  fieldError,
  quoteValue,
  toCause,
} from './validation/field-error.ts';
export {
  type LabelSelector,
  type LabelSelectorRequirement,
  validateAnnotations,
  validateLabelRequirement,
  validateLabelSelector,
  validateLabels,
} from './validation/labels.ts';
export {
  configKey,
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  dns1123SubdomainWithUnderscore,
  httpHeaderName,
  invalidEach,
  labelValue,
  nameRules,
  pathSegment,
  patternMessage,
  percent,
  portName,
  portNumber,
  qualifiedName,
  wildcardDns1123Subdomain,
} from './validation/names.ts';
