/**
 * Evidence files of a handover: checks by content what a partner uploads, and stores the bytes
 * encrypted, in a folder or in object storage.
 */
export {
  type Artifact,
  artifactMaxBytes,
  inspectArtifact,
} from './inspect-artifact.ts';
export type { ArtifactId } from './store/artifact-id.ts';
export { type Artifacts, openArtifacts } from './store/artifacts.ts';
export { artifactSettings } from './store/settings.ts';
