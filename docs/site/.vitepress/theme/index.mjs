// SPDX-License-Identifier: Apache-2.0
import DefaultTheme from 'vitepress/theme-without-fonts'
import './site.css'

export default DefaultTheme
