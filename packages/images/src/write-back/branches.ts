/** The branch that is read: the one configured, the source's revision, or what the remote calls its own where that is `HEAD`. */
export async function checkoutBranch(
  configured: string,
  revision: string,
  remoteDefault: () => Promise<string>,
): Promise<string> {
  const branch = configured || revision;
  return branch === '' || branch === 'HEAD' ? remoteDefault() : branch;
}
