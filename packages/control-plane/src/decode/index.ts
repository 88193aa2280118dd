export { type BodyOptions, decodeBody } from './body.ts';
export { type DecodedValue, decodeValue, type FieldValidation, normalise, type ValueOptions } from './decode-value.ts';
export { decodeDocument } from './document.ts';
export { duplicateFields } from './duplicate-fields.ts';
export {
  addQuantities,
  canonicalQuantity,
  compareQuantity,
  isQuantity,
  milliValue,
  parseQuantity,
  type Quantity,
  quantityValue,
  readQuantity,
  subtractQuantity,
} from './quantity.ts';
export { readTime } from './time.ts';
