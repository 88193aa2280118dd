export { decodeProtobuf } from './decode.ts';
export { type ExpectedKind, isEnvelope, protobufType } from './envelope.ts';
export { encodeProtobuf, encodeWatchFrame, hasProtobuf } from './frames.ts';
