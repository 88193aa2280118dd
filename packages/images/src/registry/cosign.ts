import { createPublicKey, createVerify, type KeyObject } from 'node:crypto';
import { at, listAt, textAt } from '@fairlead/apimachinery';
import type { Descriptor, ImageManifest } from '@fairlead/source/oci';
import { ImagesError } from '../images-error.ts';
import type { RegistryClient } from './registry-client.ts';

const bundleType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
const simpleSigningType = 'application/vnd.dev.cosign.simplesigning.v1+json';
const signatureAnnotation = 'dev.cosignproject.cosign/signature';

/**
 * Verifies that the image of a tag is signed with a key, as cosign signs, and returns the signed digest. That digest, and not the tag, may
 * be written: a tag can be moved between the check and the pull.
 */
export async function verifySignature(
  client: RegistryClient,
  repository: string,
  tag: string,
  publicKeyPem: string,
): Promise<string> {
  const key = readKey(publicKeyPem);
  const digest = await client.digest(repository, tag);
  const candidates = await signaturesOf(client, repository, digest);
  if (candidates.length === 0) throw notVerified(repository, tag, digest, 'it has no signature');
  const good = candidates.some(
    ({ payload, signed, signature }) => isFor(payload, digest) && isSigned(key, signed, signature),
  );
  if (!good) throw notVerified(repository, tag, digest, `none of its ${candidates.length} signatures is of the key`);
  return digest;
}

const notVerified = (repository: string, tag: string, digest: string, why: string): ImagesError =>
  new ImagesError('NotVerified', `${repository}:${tag} (${digest.slice(0, 19)}…) is not verified: ${why}`);

function readKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch {
    throw new ImagesError('InvalidSettings', 'the cosign key is not a public key in PEM form');
  }
}

interface Candidate {
  /** The signed payload names its image. */
  readonly payload: Buffer;
  readonly signed: Buffer;
  readonly signature: string;
}

/** The location of signatures: a tag made of the digest, `….sig` before version 3, an index of bundles since. */
async function signaturesOf(client: RegistryClient, repository: string, digest: string): Promise<Candidate[]> {
  const name = digest.replace(':', '-');
  for (const tag of [name, `${name}.sig`]) {
    try {
      const manifest = await client.manifest(repository, tag);
      const images =
        manifest.kind === 'image'
          ? [manifest.image]
          : await Promise.all(manifest.index.manifests.slice(0, 50).map((entry) => imageAt(client, repository, entry)));
      const found = await Promise.all(
        images
          .flat()
          .flatMap((image) => image.layers.slice(0, 50).map((layer) => candidate(client, repository, layer))),
      );
      if (found.flat().length > 0) return found.flat();
    } catch (error) {
      if (!(error instanceof ImagesError && error.reason === 'ImageNotFound')) throw error;
    }
  }
  return [];
}

async function imageAt(client: RegistryClient, repository: string, { digest }: Descriptor): Promise<ImageManifest[]> {
  const manifest = await client.manifest(repository, digest);
  return manifest.kind === 'image' ? [manifest.image] : [];
}

async function candidate(client: RegistryClient, repository: string, layer: Descriptor): Promise<Candidate[]> {
  if (layer.mediaType === simpleSigningType) {
    const signature = layer.annotations?.[signatureAnnotation];
    if (!signature) return [];
    const payload = await client.blob(repository, layer.digest);
    return [{ payload, signed: payload, signature }];
  }
  if (layer.mediaType !== bundleType) return [];
  return bundleCandidates(await client.blob(repository, layer.digest));
}

/** A DSSE envelope: the signature is over the payload with its type and lengths as a prefix. */
function bundleCandidates(bytes: Buffer): Candidate[] {
  const envelope = at(readJson(bytes), 'dsseEnvelope');
  const encoded = textAt(envelope, 'payload');
  if (!encoded) return [];
  const payload = Buffer.from(encoded, 'base64');
  const type = textAt(envelope, 'payloadType');
  const signed = Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `), payload]);
  return listAt(envelope, 'signatures').flatMap((entry) => {
    const signature = textAt(entry, 'sig');
    return signature ? [{ payload, signed, signature }] : [];
  });
}

const readJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
};

/** A valid signature of another image proves nothing. */
function isFor(payload: Buffer, digest: string): boolean {
  const statement = readJson(payload);
  const [algorithm = '', hex] = digest.split(':');
  if (textAt(statement, '_type').startsWith('https://in-toto.io/Statement')) {
    return listAt(statement, 'subject').some((subject) => textAt(subject, 'digest', algorithm) === hex);
  }
  return textAt(statement, 'critical', 'image', 'docker-manifest-digest') === digest;
}

function isSigned(key: KeyObject, signed: Buffer, signature: string): boolean {
  try {
    return createVerify('sha256').update(signed).end().verify(key, signature, 'base64');
  } catch {
    return false;
  }
}
