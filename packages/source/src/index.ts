export { unpack } from './archive/unpack.ts';
export { type RepositoryCredentials, type Trust, withNetworks } from './credentials/credentials.ts';
export {
  credentialsFor,
  repositoryTitled,
  type StoredCredentials,
  templateFor,
} from './credentials/credentials-for.ts';
export { type RepositorySecret, readRepositorySecret } from './credentials/repository-secret.ts';
export { type AzureIdentity, azureAccessToken } from './credentials/tokens/azure-identity.ts';
export {
  type GithubApp,
  githubApiUrl,
  githubInstallation,
  githubInstallationToken,
} from './credentials/tokens/github-app.ts';
export { googleAccessToken, parseServiceAccountKey } from './credentials/tokens/google-service-account.ts';
export { RepositoryTokens } from './credentials/tokens/repository-tokens.ts';
export { signedJwt } from './credentials/tokens/signed-jwt.ts';
export { type Expiring, TokenCache } from './credentials/tokens/token-cache.ts';
export { expiryOf, type SendTokenRequest, tokenReply, tokenSender } from './credentials/tokens/token-request.ts';
export type { CommitMetadata } from './git/commit-metadata.ts';
export { normalizeGitUrl, parseGitUrl, sameHost } from './git/git-url.ts';
export { createRepositories, type Signable } from './git/repositories.ts';
export { type HttpRequest, HttpSession } from './http/http-session.ts';
export { readBody } from './http/read-body.ts';
export { type RemoteAccess, remoteFetcher } from './remotes.ts';
export { type ArmoredKey, createGpg, type Gpg, InvalidKeys } from './signatures/gpg.ts';
export { isKey, isKeyId, type SignatureResult } from './signatures/gpg-status.ts';
export { signedObject } from './signatures/signed-object.ts';
export { SourceError, type SourceErrorReason } from './source-error.ts';
export {
  createSources,
  type SourceAddress,
  type SourceAsk,
  type Sources,
  type TestedRepository,
} from './sources.ts';
export { limiter } from './tasks/limiter.ts';
export { sequential } from './tasks/shared-task.ts';
export { folderTree } from './tree/folder-tree.ts';
