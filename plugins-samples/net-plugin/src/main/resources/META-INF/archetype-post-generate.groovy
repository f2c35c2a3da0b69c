// SPDX-License-Identifier: Apache-2.0
// Removes the sources in the language that was not asked for; a project in Kotlin has no module-info.
def project = new File(request.outputDirectory, request.artifactId)
def other = request.properties['language'] == 'kotlin' ? 'java' : 'kotlin'
new File(project, "src/main/$other").deleteDir()
new File(project, "src/test/$other").deleteDir()
