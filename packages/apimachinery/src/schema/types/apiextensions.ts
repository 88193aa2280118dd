/** apiextensions.k8s.io/v1. The notation is explained in ../type-table.ts. */
export const apiextensions = `
CustomResourceDefinitionSpec
  1 group!+ string | 3 names!+ CustomResourceDefinitionNames | 4 scope!+ string
  7 versions!+ []CustomResourceDefinitionVersion | 9 conversion *CustomResourceConversion
  10 preserveUnknownFields boolean
CustomResourceConversion
  1 strategy!+ string | 2 webhook *WebhookConversion
WebhookConversion
  2 clientConfig *WebhookClientConfig | 3 conversionReviewVersions!+ []string
WebhookClientConfig
  3 url *string | 1 service *ServiceReference | 2 caBundle bytes
ServiceReference
  1 namespace!+ string | 2 name!+ string | 3 path *string | 4 port *int32
CustomResourceDefinitionVersion
  1 name!+ string | 2 served!+ boolean | 3 storage!+ boolean | 7 deprecated boolean | 8 deprecationWarning *string
  4 schema *CustomResourceValidation | 5 subresources *CustomResourceSubresources
  6 additionalPrinterColumns []CustomResourceColumnDefinition | 9 selectableFields []SelectableField
SelectableField
  1 jsonPath!+ string
CustomResourceColumnDefinition
  1 name!+ string | 2 type!+ string | 3 format string | 4 description string | 5 priority int32 | 6 jsonPath!+ string
CustomResourceDefinitionNames
  1 plural!+ string | 2 singular string | 3 shortNames []string | 4 kind!+ string | 5 listKind string
  6 categories []string
CustomResourceDefinitionCondition
  1 type!+ string | 2 status!+ string | 3 lastTransitionTime+ time | 4 reason string | 5 message string
  6 observedGeneration int64
CustomResourceDefinitionStatus
  1 conditions+ []CustomResourceDefinitionCondition map(type) | 2 acceptedNames+ CustomResourceDefinitionNames
  3 storedVersions+ []string | 4 observedGeneration int64
CustomResourceDefinition kind list
  1 metadata+ meta.ObjectMeta | 2 spec!+ CustomResourceDefinitionSpec | 3 status+ CustomResourceDefinitionStatus
CustomResourceValidation
  1 openAPIV3Schema *JSONSchemaProps
CustomResourceSubresources
  1 status *CustomResourceSubresourceStatus | 2 scale *CustomResourceSubresourceScale
CustomResourceSubresourceStatus
CustomResourceSubresourceScale
  1 specReplicasPath!+ string | 2 statusReplicasPath!+ string | 3 labelSelectorPath *string
JSONSchemaProps
  1 id string | 2 $schema string | 3 $ref *string | 4 description string | 5 type string | 6 format string
  7 title string | 8 default *JSON | 9 maximum *number | 10 exclusiveMaximum boolean | 11 minimum *number
  12 exclusiveMinimum boolean | 13 maxLength *int64 | 14 minLength *int64 | 15 pattern string | 16 maxItems *int64
  17 minItems *int64 | 18 uniqueItems boolean | 19 multipleOf *number | 20 enum []JSON | 21 maxProperties *int64
  22 minProperties *int64 | 23 required []string | 24 items *JSONSchemaPropsOrArray | 25 allOf []JSONSchemaProps
  26 oneOf []JSONSchemaProps | 27 anyOf []JSONSchemaProps | 28 not *JSONSchemaProps | 29 properties {}JSONSchemaProps
  30 additionalProperties *JSONSchemaPropsOrBool | 31 patternProperties {}JSONSchemaProps
  32 dependencies {}JSONSchemaPropsOrStringArray | 33 additionalItems *JSONSchemaPropsOrBool
  34 definitions {}JSONSchemaProps | 35 externalDocs *ExternalDocumentation | 36 example *JSON | 37 nullable boolean
  38 x-kubernetes-preserve-unknown-fields *boolean | 39 x-kubernetes-embedded-resource boolean
  40 x-kubernetes-int-or-string boolean | 41 x-kubernetes-list-map-keys []string | 42 x-kubernetes-list-type *string
  43 x-kubernetes-map-type *string | 44 x-kubernetes-validations []ValidationRule map(rule) merge(rule)
ValidationRule
  1 rule!+ string | 2 message string | 3 messageExpression string | 4 reason *string | 5 fieldPath string
  6 optionalOldSelf *boolean
ExternalDocumentation
  1 description string | 2 url string
`;
